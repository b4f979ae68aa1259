import type { Tx } from '../platform/database/store.ts';
import type { Precondition } from '../platform/precondition.ts';
import type { Actor } from './actor.ts';

/** What every write of the management API gets: its transaction, who writes, and under which precondition. */
export interface Mutation {
  readonly tx: Tx;
  readonly actor: Actor;
  /** Ignored by writes of rows without a version, and by POST. */
  readonly precondition: Precondition;
}
