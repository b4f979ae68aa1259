import type { Prober } from '../credentials/probe/prober.ts';
import type { Egress } from '../egress/egress.ts';
import type { Integration } from '../generated/prisma/client.ts';
import type { Cursors } from '../http/cursor.ts';
import type { StoredResponses } from '../http/stored-responses.ts';
import type { Actor } from '../identity/actor.ts';
import type { Store, Tx } from '../platform/database/store.ts';
import type { SessionCounter, SessionLister, SessionRevoker } from '../sessions/sessions.ts';
import type { Vault } from '../vault/vault.ts';

/** A link by which one person may connect one integration by OAuth, once. */
export interface ConnectLink {
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/** Makes links to connect. */
export interface ConnectLinks {
  /** For an integration that is active, of the mode `oauth` and configured, to an allowed origin. */
  create(
    tx: Tx,
    link: {
      readonly actor: Actor;
      readonly integration: Integration;
      readonly returnTo: string | undefined;
    },
  ): Promise<ConnectLink>;
}

/** What every router is given. A service's signature names the few of these that it needs. */
export interface RouterDeps {
  readonly store: Store;
  readonly responses: StoredResponses;
  readonly cursors: Cursors;
  readonly vault: Vault;
  readonly prober: Prober;
  readonly egress: Egress;
  readonly connectLinks: ConnectLinks;
  readonly sessions: SessionCounter & SessionLister & SessionRevoker;
  /** Origin under which clients reach this service, without a trailing slash. */
  readonly publicUrl: string;
  /** Origins of web pages that may use this service, beside its own. */
  readonly allowedOrigins: readonly string[];
}
