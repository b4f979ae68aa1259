import type { SplicedList } from '../../../mcp/aggregate/splice-list.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Access } from './access.ts';

/** How an integration's entries came into a list. */
export type ListState = 'ok' | 'partial' | 'stale' | 'late' | 'failed' | 'connect' | 'refused';

/** What an integration gives to a list. */
export interface ListPart {
  readonly attachment: AggregateAttachment;
  readonly access: Access;
  readonly state: ListState;
  /** Undefined where nothing is listed. */
  readonly list: SplicedList | undefined;
  /** Milliseconds until it is read again. */
  readonly ttlMs: number;
}
