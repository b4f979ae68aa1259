import type { AggregateState } from '@gatehouse/contract';
import type { Catalogues } from '../catalogue/catalogues.ts';
import type { ConnectLinks } from '../credentials/connect/connect-links.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Prober } from '../credentials/probe/prober.ts';
import type { Egress } from '../egress/egress.ts';
import type { Cursors } from '../http/cursor.ts';
import type { StoredResponses } from '../http/stored-responses.ts';
import type { ErrorLog } from '../http/stream-lines.ts';
import type { PersonCaller } from '../identity/caller.ts';
import type { Store } from '../platform/database/store.ts';
import type { RefusalLog } from '../policy/log-refusal.ts';
import type { SessionAdmin } from '../sessions/shown-session.ts';
import type { Vault } from '../vault/vault.ts';
import type { InstallationSettings } from './installation-settings.ts';

/** The dependencies of every router. A service's signature names those that it needs. */
export interface RouterDeps {
  readonly store: Store;
  readonly log: RefusalLog & ErrorLog;
  readonly responses: StoredResponses;
  readonly cursors: Cursors;
  readonly vault: Vault;
  readonly credentials: Pick<Credentials, 'readFresh'>;
  readonly prober: Prober;
  readonly catalogues: Pick<Catalogues, 'write'>;
  readonly egress: Egress;
  readonly connectLinks: ConnectLinks;
  readonly sessions: SessionAdmin;
  /** Origin under which clients reach this service, without a trailing slash. */
  readonly publicUrl: string;
  /** Origins to which a browser may be sent in the end, our own included. */
  readonly returnOrigins: ReadonlySet<string>;
  readonly installation: InstallationSettings;
  /** What the one URL of an application lists for a person. @throws ProblemError `not_found` */
  aggregateState(person: PersonCaller, applicationId: string): Promise<AggregateState>;
}
