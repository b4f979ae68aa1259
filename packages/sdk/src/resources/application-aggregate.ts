import { routes } from '@gatehouse/contract/routes';
import type { ApiPromise } from '../calls/api-promise.ts';
import type { Transport } from '../calls/transport.ts';
import type { RequestOptions } from '../options/options.ts';
import type { AggregateState } from '../types/aggregate-state.ts';

/**
 * What the one URL of an application lists of its integrations.
 *
 * @example
 * ```ts
 * const stateOf = (aggregate: ApplicationAggregate) => aggregate.get(id);
 * const { integrations } = await stateOf(gatehouse.applications.aggregate);
 * ```
 */
export class ApplicationAggregate {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns what the URL lists for the caller, from the lists that the node has read last, and what it leaves out. For
   * everyone who may use the URL. `GET /applications/:id/aggregate`.
   *
   * @throws NotFoundError when there is no such application, it is archived, or its one URL is off.
   *
   * @example
   * ```ts
   * const { integrations } = await gatehouse.applications.aggregate.get(id);
   * const unconnected = integrations.filter(({ state }) => state === 'connect');
   * ```
   */
  get(id: string, options?: RequestOptions): ApiPromise<AggregateState> {
    return this.#transport.json(routes.applications.getAggregate, { params: { id }, options });
  }
}
