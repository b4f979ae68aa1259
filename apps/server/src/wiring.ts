import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import {
  type AuthorizationServer,
  createAuthorizationServer,
} from './authorization-server/authorization-server.ts';
import { createConnectFlow } from './connect-forms/connect-flow.ts';
import { countConnects } from './connect-forms/count-connects.ts';
import { createConnectLinks } from './credentials/connect/connect-links.ts';
import { countRefreshes } from './credentials/oauth/refresh/count-refreshes.ts';
import { createRefresher } from './credentials/oauth/refresh/refresher.ts';
import { countRevocations } from './credentials/oauth/revocation/count-revocations.ts';
import { createRevoker, type Revoker } from './credentials/oauth/revocation/revoker.ts';
import { createProber } from './credentials/probe/prober.ts';
import { type ClosableCredentials, createCredentials } from './credentials/resolve.ts';
import { createUnreadableRows } from './credentials/unreadable-rows.ts';
import { createEgress, type Egress } from './egress/egress.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { type Housekeeping, startHousekeeping } from './housekeeping.ts';
import { clientAddress } from './http/client-address.ts';
import { createCursors } from './http/cursor.ts';
import { createHostAndOrigin } from './http/host-and-origin.ts';
import { createForms } from './http/pages/forms.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createStoredResponses } from './http/stored-responses.ts';
import { createAuthenticator } from './identity/authenticator.ts';
import { createBrowserSessions } from './identity/browser-sessions.ts';
import { findActor } from './identity/find-actor.ts';
import { requireGrantedActor } from './identity/oauth-tokens.ts';
import { createTokenUsage, type TokenUsage } from './identity/token-use.ts';
import { noteMissingKeys } from './missing-keys.ts';
import { createCache } from './platform/changes/create-cache.ts';
import { closedCounter } from './platform/closed-counter.ts';
import type { Store } from './platform/database/store.ts';
import type { Metrics } from './platform/metrics.ts';
import { observedGauge } from './platform/observed-gauge.ts';
import type { Tracing } from './platform/tracing.ts';
import { type Rechecks, startRechecks } from './resources/integrations/recheck/rechecks.ts';
import { validateAfterConnecting } from './resources/integrations/validate-after-connecting.ts';
import { createConnectSessionIds } from './sessions/connect-session-ids.ts';
import { createSessions } from './sessions/node-sessions.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SessionWindows } from './sessions/windows.ts';
import { countSignIns } from './sign-in/count-sign-ins.ts';
import type { SignInDeps } from './sign-in/deps.ts';
import { createExternalSignIn } from './sign-in/external/create-external-sign-in.ts';
import type { ExternalSettings } from './sign-in/external/settings.ts';
import { createKnownBrowsers } from './sign-in/known-browsers.ts';
import { createThrottle } from './sign-in/throttle.ts';
import type { EncryptionKey, Keyring } from './vault/keyring.ts';
import { createMac } from './vault/mac.ts';
import { createVault } from './vault/vault.ts';

const MAX_CACHED_TOKENS = 50_000;

export interface ServiceConfig {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly allowedNetworks: readonly string[];
  /** Management requests a minute; 0 for no limit. */
  readonly rateLimit: number;
  /** Percent of the gateway calls that are logged at level debug; default 100. */
  readonly loggedCalls?: number;
  readonly metricsToken: string | undefined;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly sessionWindows: SessionWindows;
  /** Whether people may sign in by email and password. */
  readonly passwordSignIn: boolean;
  /** The OpenID Connect provider with which people may sign in. */
  readonly externalSignIn: ExternalSettings | undefined;
  readonly version: string;
  /** Undefined where nothing collects traces. */
  readonly tracing?: Tracing | undefined;
}

/** What the parts are made from, beside the configuration. */
export interface WiringOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** False from the moment the service begins to stop. */
  readonly isServing: () => boolean;
  /** Called when a write in the background has failed. */
  readonly onError: (error: unknown) => void;
}

/** The parts that handle requests, and those that must be closed in the end. */
export interface Parts {
  readonly gateway: Gateway;
  readonly authorizationServer: AuthorizationServer;
  /** Everything that is not the gateway. */
  readonly app: RequestListener;
  readonly sessions: Sessions;
  readonly credentials: ClosableCredentials;
  readonly tokenUsage: TokenUsage;
  readonly revoker: Revoker;
  readonly egress: Egress;
  readonly housekeeping: Housekeeping;
  readonly rechecks: Rechecks;
}

/** Puts the parts together: which part may use which is decided here and nowhere else. */
export function wire(config: ServiceConfig, options: WiringOptions): Parts {
  const { store, keyring, log, metrics, isServing } = options;
  const countFailure = closedCounter(metrics, {
    name: 'gatehouse_background_failures_total',
    help: 'Work in the background that has failed, such as writes that are tried again.',
    labels: {},
  });
  const onError = (error: unknown): void => {
    countFailure({});
    options.onError(error);
  };
  const vault = createVault(keyring, noteMissingKeys(keyring, metrics, log));
  const tokenUsage = createTokenUsage(store, onError);
  const authenticator = createAuthenticator({
    cache: createCache({ changes: store.changes, maxEntries: MAX_CACHED_TOKENS }),
    find: (token) => findActor(store.db, config.publicUrl, token),
    findAgain: (actor, authorization) =>
      requireGrantedActor(store.db, actor, authorization, { lock: false }),
    noteUse: tokenUsage.note,
  });
  const egress = createEgress(config);
  const refresher = createRefresher({
    store,
    vault,
    egress,
    onOutcome: countRefreshes(metrics),
    onError,
  });
  const credentials = createCredentials({
    store,
    vault,
    refresher,
    onUnreadable: createUnreadableRows(log, metrics),
    onError,
  });
  const prober = createProber({ credentials, egress, publicUrl: config.publicUrl });
  const sessions = createSessions({ store, vault, windows: config.sessionWindows, onError });
  observedGauge(
    metrics,
    {
      name: 'gatehouse_sessions_live',
      help: 'Sessions with a call or stream in flight on this node.',
    },
    () => sessions.countLive(),
  );
  const hostAndOrigin = createHostAndOrigin(config);
  const rateLimit = createRateLimit(config.rateLimit);
  const addressOf = clientAddress(config.trustedProxies);

  const gateway = createGateway({
    store,
    authenticator,
    credentials,
    egress,
    sessions,
    connectSessions: createConnectSessionIds(createMac(keyring, 'connect-session')),
    hostAndOrigin,
    countFailure: (req) => rateLimit.countFailure(addressOf(req)),
    addressOf,
    loggedCalls: config.loggedCalls ?? 100,
    metrics,
    tracing: config.tracing,
    publicUrl: config.publicUrl,
    version: config.version,
    log,
  });
  const signIn = signInDepsOf(config, options);
  const { publicUrl } = config;
  const returnOrigins = new Set([publicUrl, ...config.allowedOrigins]);
  const flow = createConnectFlow({ store, vault, egress, publicUrl }, countConnects(metrics));
  const authorizationServer = createAuthorizationServer({
    store,
    vault,
    credentials,
    flow,
    sessions: signIn.sessions,
    forms: signIn.forms,
    hostAndOrigin,
    egress,
    countRegistration: (req) => rateLimit.countFailure(`register ${addressOf(req)}`),
    publicUrl: config.publicUrl,
    metrics,
    log,
  });
  const app = createApp({
    deps: {
      store,
      responses: createStoredResponses(store, vault, createMac(keyring, 'idempotency')),
      cursors: createCursors(createMac(keyring, 'cursor')),
      vault,
      prober,
      egress,
      connectLinks: createConnectLinks(publicUrl),
      sessions,
      publicUrl: config.publicUrl,
      returnOrigins,
    },
    authorizationServer,
    signIn,
    connect: {
      ...{ store, vault, flow, publicUrl, log },
      sessions: signIn.sessions,
      forms: signIn.forms,
      returnOrigins,
      validate: (person, integrationId) =>
        validateAfterConnecting({ store, prober, onError }, person, integrationId),
    },
    externalSignIn:
      config.externalSignIn &&
      createExternalSignIn(config.externalSignIn, { ...config, db: store.db, egress, log }),
    health: {
      store,
      authenticator,
      rateLimit,
      metrics,
      metricsToken: config.metricsToken,
      isServing,
    },
    authenticator,
    rateLimit,
    hostAndOrigin,
    trustedProxies: config.trustedProxies,
    version: config.version,
    metrics,
    tracing: config.tracing,
    log,
  });
  const housekeeping = startHousekeeping({
    store,
    windows: config.sessionWindows,
    refresher,
    onError,
  });
  const rechecks = startRechecks({ store, prober, onError });
  const onOutcome = countRevocations(metrics);
  const revoker = createRevoker({ store, vault, egress, onOutcome, onError });
  return {
    gateway,
    authorizationServer,
    app,
    sessions,
    credentials,
    tokenUsage,
    revoker,
    egress,
    housekeeping,
    rechecks,
  };
}

function signInDepsOf(
  { publicUrl, passwordSignIn, externalSignIn }: ServiceConfig,
  { store, keyring, metrics }: WiringOptions,
): SignInDeps {
  const mac = createMac(keyring, 'form');
  return {
    store,
    sessions: createBrowserSessions(store, publicUrl),
    forms: createForms(mac, publicUrl),
    throttle: createThrottle(),
    knownBrowsers: createKnownBrowsers(mac, publicUrl),
    countSignIn: countSignIns(metrics),
    hasPasswords: passwordSignIn,
    providerHost: externalSignIn && new URL(externalSignIn.issuer).host,
  };
}
