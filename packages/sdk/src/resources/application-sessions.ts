import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../api-promise.ts';
import type { RequestOptions } from '../options.ts';
import type { ListPromise } from '../pagination.ts';
import type { Transport } from '../transport/transport.ts';
import type { ListSessionsQuery, Session } from '../types/session.ts';

/** The sessions of an application: each one user's use of one attached integration. */
export class ApplicationSessions {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the sessions of an application, newest first. `GET /applications/:id/sessions`.
   *
   * @throws NotFoundError when there is no such application, or it is not the caller's to see.
   */
  list(id: string, query?: ListSessionsQuery, options?: RequestOptions): ListPromise<Session> {
    return this.#transport.list(routes.sessions.list, { params: { id }, query, options });
  }

  /**
   * Ends a session: its next request is refused and its open streams are cut.
   * `DELETE /applications/:id/sessions/:sessionId`.
   *
   * @throws NotFoundError when there is no such application or session.
   */
  revoke(id: string, sessionId: string, options?: RequestOptions): ApiPromise<void> {
    return this.#transport.empty(routes.sessions.revoke, { params: { id, sessionId }, options });
  }
}
