import type { Store } from '../platform/database/store.ts';

/** What requests of the command work on, in the server or in the command itself. */
export interface ControlDeps {
  readonly store: Store;
  readonly publicUrl: string;
}
