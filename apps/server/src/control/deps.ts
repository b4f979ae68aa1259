import type { Store } from '../platform/database/store.ts';
import type { ChangeableKeys } from '../vault/changeable-keys.ts';

/** What requests of the command work on, in the server or in the command itself. */
export interface ControlDeps {
  readonly store: Store;
  readonly publicUrl: string;
  readonly keys: ChangeableKeys;
}
