import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { ListPromise } from '../calls/pagination.ts';
import type { Transport } from '../calls/transport.ts';
import type { IdempotentOptions, RequestOptions } from '../options/options.ts';
import type { ListSessionsQuery, Session } from '../types/session.ts';

/**
 * The sessions of an application: each is the use of one attached integration by one user.
 *
 * @example
 * ```ts
 * const latest = async (sessions: ApplicationSessions) => (await sessions.list(id)).items[0];
 * const session = await latest(gatehouse.applications.sessions);
 * ```
 */
export class ApplicationSessions {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the sessions of an application, newest first. `GET /applications/:id/sessions`.
   *
   * @throws NotFoundError when there is no such application, or the caller may not see it.
   *
   * @example
   * ```ts
   * for await (const session of gatehouse.applications.sessions.list(id))
   *   console.log(session.state);
   * ```
   */
  list(id: string, query?: ListSessionsQuery, options?: RequestOptions): ListPromise<Session> {
    return this.#transport.list(routes.sessions.list, { params: { id }, query, options });
  }

  /**
   * Ends a session: its next request is refused and its open streams are cut.
   * `DELETE /applications/:id/sessions/:sessionId`.
   *
   * @throws NotFoundError when there is no such application or session.
   *
   * @example
   * ```ts
   * for await (const session of gatehouse.applications.sessions.list(id)) {
   *   if (session.live) await gatehouse.applications.sessions.revoke(id, session.id);
   * }
   * ```
   */
  revoke(id: string, sessionId: string, options?: IdempotentOptions): ApiPromise<void> {
    return this.#transport.empty(routes.sessions.revoke, { params: { id, sessionId }, options });
  }
}
