import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { RequestOptions } from '../options/options.ts';
import type { UsageQuery, UsageResponse } from '../types/usage.ts';

/**
 * How often, by whom and how fast integrations are called.
 *
 * @example
 * ```ts
 * const callsOf = async (usage: Usage, applicationId: string) => {
 *   const from = '2026-11-26T00:00:00Z';
 *   const to = '2026-11-27T00:00:00Z';
 *   const { series } = await usage.get({ from, to, step: 'day', applicationId });
 *   return series[0]?.points[0]?.calls;
 * };
 * console.log(await callsOf(gatehouse.usage, id));
 * ```
 */
export class Usage {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns how often integrations were called. Admins and owners see all calls, the owner of applications those through
   * them if the query names only them, and everyone else their own, of which minutes are not kept. `GET /usage`.
   *
   * @throws BadRequestError when the span has more than 2,000 points, or for a combination that is not kept.
   *
   * @example
   * ```ts
   * const from = '2026-11-01T00:00:00Z';
   * const to = '2026-12-01T00:00:00Z';
   * const { series } = await gatehouse.usage.get({ from, to, step: 'day', groupBy: 'tool' });
   * for (const { key, points } of series) {
   *   console.log(
   *     key,
   *     points.map(({ calls }) => calls),
   *   );
   * }
   * ```
   */
  get(query: UsageQuery, options?: RequestOptions): ApiPromise<UsageResponse> {
    return this.#transport.json(routes.usage.get, { params: {}, query, options });
  }
}
