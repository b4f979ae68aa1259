import type { Credentials } from '../credentials/outcome.ts';
import type { Prober } from '../credentials/probe/prober.ts';
import type { Egress } from '../egress/egress.ts';
import type { Cursors } from '../http/cursor.ts';
import type { Idempotency } from '../http/idempotency.ts';
import type { Store } from '../platform/database/store.ts';
import type { SessionCounter, SessionLister, SessionRevoker } from '../sessions/sessions.ts';
import type { Vault } from '../vault/vault.ts';

/** What resources work with; each router is given all, each service names what it needs. */
export interface Deps {
  readonly store: Store;
  readonly idempotency: Idempotency;
  readonly cursors: Cursors;
  readonly vault: Vault;
  readonly credentials: Credentials;
  readonly prober: Prober;
  readonly egress: Egress;
  readonly sessions: SessionCounter & SessionLister & SessionRevoker;
  /** Origin under which clients reach this service, without a trailing slash. */
  readonly publicUrl: string;
}
