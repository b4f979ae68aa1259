import type { EventDetails } from '@gatehouse/contract';
import type { Tx } from '../platform/database/store.ts';
import type { Precondition } from '../platform/precondition.ts';
import { actorOfCaller, type PersonCaller } from './caller.ts';

/** What every write of the management API gets: its transaction, who writes, and under which precondition. */
export interface Mutation {
  readonly tx: Tx;
  readonly actor: PersonCaller;
  /** Ignored by writes of rows without a version, and by POST. */
  readonly precondition: Precondition;
}

/** Records what the caller has done to a target. */
export function record({ tx, actor }: Mutation, targetId: string, details: EventDetails): void {
  tx.record({ ...details, targetId, actor: actorOfCaller(actor) });
}
