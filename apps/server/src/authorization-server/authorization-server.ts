import type { Router } from 'express';
import type { Logger } from 'pino';
import type { HostAndOrigin } from '../http/host-and-origin.ts';
import type { Forms } from '../http/pages/forms.ts';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { createClients } from './clients.ts';
import { consentRouter } from './consent/consent-router.ts';
import { createProvider } from './provider.ts';
import { renderError } from './render-error.ts';
import { authorizeRouter, protocolRouter } from './router.ts';

export interface AuthorizationServerOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly hostAndOrigin: HostAndOrigin;
  /** Our origin, which is the issuer. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** The OAuth authorization server of the gateway and the management API. */
export interface AuthorizationServer {
  /** For programs of any origin. */
  readonly protocol: Router;
  /** For people. */
  readonly pages: Router[];
  close(): void;
}

/** Below this path, what is not for programs is for people: errors are pages. */
export const authorizationPaths: readonly string[] = ['/oauth'];

export function createAuthorizationServer(
  options: AuthorizationServerOptions,
): AuthorizationServer {
  const { store, vault, publicUrl, log, hostAndOrigin } = options;
  const clients = createClients(store);
  const provider = createProvider({ store, vault, clients, publicUrl, log, renderError });
  const deps = { provider, hostAndOrigin, publicUrl };
  return {
    protocol: protocolRouter(deps),
    pages: [authorizeRouter(deps), consentRouter({ ...options, provider, clients })],
    close: () => clients.close(),
  };
}
