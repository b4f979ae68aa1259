import type { Router } from 'express';
import type { Configuration } from 'oidc-provider';
import type { Logger } from 'pino';
import type { ConnectFlow } from '../connect-forms/connect-flow.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import type { HostAndOrigin } from '../http/host-and-origin.ts';
import type { Forms } from '../http/pages/forms.ts';
import { html } from '../http/pages/html.ts';
import { pageOf } from '../http/pages/send-page.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { BrowserSessions } from '../identity/browser-sessions.ts';
import type { Store } from '../platform/database/store.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Vault } from '../vault/vault.ts';
import { createApplications } from './clients/applications.ts';
import { createDynamicClients } from './clients/dynamic/dynamic-clients.ts';
import { isDocumentUrl } from './clients/dynamic/metadata-document.ts';
import { registrationHandlers } from './clients/dynamic/registration.ts';
import type { FindClient } from './clients/oauth-client.ts';
import { connectRouter } from './consent/connect/connect-router.ts';
import { consentRouter } from './consent/consent-router.ts';
import { countConsents } from './consent/decision.ts';
import { createFindAskingClient, type FindAskingClient } from './consent/interaction.ts';
import { createProvider } from './oidc/create-provider.ts';
import type { CountClientFailure, OnIssued } from './oidc/finish-request.ts';
import { authorizeRouter, protocolRouter } from './router.ts';

export interface AuthorizationServerOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly credentials: Credentials;
  readonly flow: ConnectFlow;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly hostAndOrigin: HostAndOrigin;
  readonly egress: Pick<Egress, 'request'>;
  readonly countClientFailure: CountClientFailure;
  readonly onIssued: OnIssued;
  /** Our origin, which is the issuer. */
  readonly publicUrl: string;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly rateLimit: Pick<RateLimit, 'countRequest'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The OAuth authorization server of the gateway and the management API. */
export interface AuthorizationServer {
  /** For programs of any origin. */
  readonly protocol: Router;
  /** For people. */
  readonly pages: Router[];
  /** For the sign-in page. */
  readonly findAskingClient: FindAskingClient;
  close(): void;
}

/** Below this path, what is not for programs is for people: errors are pages. */
export const authorizationPaths: readonly string[] = ['/oauth'];

export function createAuthorizationServer(
  options: AuthorizationServerOptions,
): AuthorizationServer {
  const { store, vault, publicUrl, log, hostAndOrigin, countClientFailure, onIssued } = options;
  const { db } = store;
  const applications = createApplications(store);
  const dynamicClients = createDynamicClients({ store, egress: options.egress, applications });
  const findClient: FindClient = async (clientId, source) => {
    const application = await applications.find(clientId);
    if (application === undefined) return dynamicClients.find(clientId, source);
    const { name, redirectUris } = application;
    return { clientId, name, redirectUris, application };
  };
  const found = { applications, findClient };
  const { credentials, authenticator, rateLimit } = options;
  const exchange = { credentials, authenticator, countRequest: rateLimit.countRequest };
  const shared = { store, vault, publicUrl, log, renderError, countClientFailure, onIssued };
  const providerDeps = { ...shared, ...found, ...exchange };
  const provider = createProvider(providerDeps);
  const countConsent = countConsents(options.metrics);
  const pageDeps = { ...options, provider, ...found, countConsent };
  const register = registrationHandlers({ db, applications });
  return {
    protocol: protocolRouter({ provider, hostAndOrigin, publicUrl, register }),
    pages: [
      authorizeRouter({ provider, publicUrl }),
      consentRouter(pageDeps),
      connectRouter(pageDeps),
    ],
    findAskingClient: createFindAskingClient(db, findClient),
    close: () => applications.close(),
  };
}

/** The error in words for a person; the code of RFC 6749 is for the developer of the application. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  invalid_client:
    'The application that sent you here is unknown or has been archived. Ask the person who set it up to check its client id.',
  invalid_redirect_uri:
    'The application wants to send you back to an address that is not registered for it. The person who manages the application here can add the address.',
};

const UNREADABLE =
  'The application that sent you here is described by a document on its own website, which could not be read or does not describe it any more. Try again in some minutes. If it stays so, tell the makers of the application.';

const OTHERWISE =
  'The application that sent you here made a request that cannot be answered. Go back to it and try again.';

/** Shows an error page instead of a redirect to an unknown or untrusted address. */
const renderError: NonNullable<Configuration['renderError']> = (ctx, out) => {
  const { error = 'server_error' } = out;
  const { client_id: clientId } = (ctx.oidc.params ?? {}) as { readonly client_id?: unknown };
  const isDescribed = typeof clientId === 'string' && isDocumentUrl(clientId);
  const isUnreadable = error === 'invalid_client' && isDescribed;
  const { headers, document } = pageOf({
    title: 'This sign-in cannot go on',
    body: html`<p>${isUnreadable ? UNREADABLE : (EXPLANATIONS[error] ?? OTHERWISE)}</p>
<p class="quiet">For developers: <code>${error}</code></p>`,
  });
  ctx.set(headers);
  ctx.body = document;
};
