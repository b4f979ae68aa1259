import type { Open } from './open.ts';

/**
 * How an integration is listed at the one URL of an application. `partial`: only the beginning of its list; `stale`: from
 * an earlier list; `late` and `failed`: not listed; `connect`: the caller has to connect an account; `unread`: nobody has asked yet.
 */
export type AggregateListState =
  | 'ok'
  | 'partial'
  | 'stale'
  | 'late'
  | 'failed'
  | 'connect'
  | 'refused'
  | 'unread';

/**
 * Why the one URL of an application leaves out what an integration offers.
 */
export type LeftOutReason =
  | 'name_not_unique'
  | 'alias_of_another'
  | 'reserved_name'
  | 'offered_by_another'
  | 'entry_too_large'
  | 'unidentified'
  | 'ambiguous'
  | 'needs_task';

/**
 * What the one URL of an application leaves out.
 */
export interface LeftOutEntry {
  integrationId: string;
  kind: Open<'tool' | 'prompt' | 'resource' | 'resource_template'>;
  /** As the integration names it, or the URI; `null` where it has no name. */
  name: string | null;
  reason: Open<LeftOutReason>;
}

/**
 * An integration as the one URL of an application lists it.
 */
export interface ListedIntegration {
  /** UUID of the integration. */
  id: string;
  alias: string;
  state: Open<AggregateListState>;
  /** How many of each are listed. */
  counts: { tools: number; prompts: number; resources: number; resourceTemplates: number };
}

/**
 * The response of `applications.aggregate.get`.
 */
export interface AggregateState {
  /** Those that the caller may use there, in the order of attaching. */
  integrations: ListedIntegration[];
  /** At most 1,000. */
  leftOut: LeftOutEntry[];
}
