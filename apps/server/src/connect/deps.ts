import type { Logger } from 'pino';
import type { ConnectFlow } from '../connect-forms/connect-flow.ts';
import type { Forms } from '../http/pages/forms.ts';
import type { BrowserSessions, SignedInPerson } from '../identity/browser-sessions.ts';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import type { Endings } from './endings.ts';

/** The dependencies of the pages in this folder. */
export interface ConnectPagesDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly flow: ConnectFlow;
  readonly endings: Endings;
  /** Tries a new connection where the integration has not been validated. Takes 2 s at most, and never rejects. */
  readonly validate: (person: SignedInPerson, integrationId: string) => Promise<void>;
  /** Origins to which a browser may be sent in the end, our own included. */
  readonly returnOrigins: ReadonlySet<string>;
  /** Our origin. */
  readonly publicUrl: string;
  readonly log: Logger;
}
