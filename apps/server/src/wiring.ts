import type { IncomingMessage, RequestListener } from 'node:http';
import { createApp } from './app.ts';
import { issueEvent } from './audit/token-events.ts';
import type { AuditWriter } from './audit/writing/audit-writer.ts';
import {
  type AuthorizationServer,
  createAuthorizationServer,
} from './authorization-server/authorization-server.ts';
import type { Catalogues } from './catalogue/catalogues.ts';
import type { ConnectPagesDeps } from './connect/deps.ts';
import { createEndings } from './connect/endings.ts';
import { type ConnectFlow, createConnectFlow } from './connect-forms/connect-flow.ts';
import { countConnects } from './connect-forms/metrics.ts';
import { createConnectLinks } from './credentials/connect/connect-links.ts';
import type { ClosableCredentials } from './credentials/credentials.ts';
import { countRevocations } from './credentials/oauth/metrics.ts';
import { createRevoker, type Revoker } from './credentials/oauth/revocation/revoker.ts';
import type { Egress } from './egress/egress.ts';
import type { UpstreamEras } from './eras/upstream-eras.ts';
import { createBeginCall, createCallAudit } from './gateway/call-audit.ts';
import { createCallLog } from './gateway/call-log.ts';
import type { CallObserver } from './gateway/call-record.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createGatewayListener, type GatewayListener } from './gateway/http/listener.ts';
import { createIntegrationCounter } from './gateway/integration-metrics.ts';
import { createCallCounter } from './gateway/metrics.ts';
import { createUsageObserver } from './gateway/usage-observer.ts';
import { type Housekeeping, startHousekeeping } from './housekeeping.ts';
import { addressBlockOf, clientAddress } from './http/client-address.ts';
import { createCursors } from './http/cursor.ts';
import { createHostAndOrigin } from './http/host-and-origin.ts';
import { createForms } from './http/pages/forms.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createStoredResponses } from './http/stored-responses.ts';
import { noteSignedIn, Strangers } from './http/strangers.ts';
import type { TokenUsage } from './identity/token-use.ts';
import type { CallLimits } from './limits/call-limits.ts';
import { noteVerifications } from './metrics.ts';
import type { InstallationSettings } from './resources/installation-settings.ts';
import {
  type Revalidations,
  startRevalidations,
} from './resources/integrations/revalidation/revalidations.ts';
import { validateAfterConnecting } from './resources/integrations/validate-after-connecting.ts';
import type { RouterDeps } from './resources/router-deps.ts';
import { createConnectSessionIds } from './sessions/connect-session-ids.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SignInDeps } from './sign-in/deps.ts';
import { createExternalSignIn } from './sign-in/external/external-page.ts';
import { createKnownBrowsers } from './sign-in/known-browsers.ts';
import { countSignIns } from './sign-in/metrics.ts';
import { createThrottle } from './sign-in/throttle.ts';
import type { UsageCounters } from './usage/usage-counters.ts';
import { createMac } from './vault/mac.ts';
import {
  type Base,
  type Domains,
  type ServiceConfig,
  type WiringOptions,
  wireBase,
  wireDomains,
} from './wiring-base.ts';

/** The parts that handle requests, and those that must be closed in the end. */
export interface Parts {
  readonly gateway: Gateway;
  readonly serveGateway: GatewayListener;
  readonly authorizationServer: AuthorizationServer;
  /** Everything that is not the gateway. */
  readonly app: RequestListener;
  readonly audit: AuditWriter;
  readonly sessions: Sessions;
  readonly credentials: ClosableCredentials;
  readonly eras: UpstreamEras;
  readonly catalogues: Catalogues;
  readonly callLimits: CallLimits;
  readonly tokenUsage: TokenUsage;
  readonly usage: UsageCounters;
  readonly revoker: Revoker;
  readonly egress: Egress;
  readonly housekeeping: Housekeeping;
  readonly revalidations: Revalidations;
}

/** Puts the parts together, floor by floor. The options of each part say what it may use. */
export function wire(config: ServiceConfig, options: WiringOptions): Parts {
  const base = wireBase(config, options);
  const domains = wireDomains(base);
  const parts = { ...base, ...domains, ...wireHttp({ ...base, ...domains }) };
  const flow = createConnectFlow(parts, countConnects(base.metrics));
  const gateway = wireGateway(parts);
  const authorizationServer = wireAuthorizationServer(parts, flow);
  const app = wireApp(parts, flow, authorizationServer, gateway);
  const serveGateway = createGatewayListener(gateway, parts.addressOf);
  return { ...parts, gateway, serveGateway, authorizationServer, app, ...startJobs(parts) };
}

/** The floors below what answers requests. */
type Below = Base & Domains & ReturnType<typeof wireHttp>;

function wireHttp({ config, publicUrl, keyring, store, vault, browserSessions }: Base & Domains) {
  const strangers = config.rateLimit === 0 ? undefined : new Strangers();
  const addressOf = clientAddress(config.trustedProxies);
  return {
    strangers,
    browserSessions:
      strangers === undefined ? browserSessions : noteSignedIn(browserSessions, strangers),
    hostAndOrigin: createHostAndOrigin(config),
    rateLimit: createRateLimit(config.rateLimit),
    addressOf,
    sourceOf: (req: IncomingMessage) => addressBlockOf(addressOf(req)),
    forms: createForms(createMac(keyring, 'form'), publicUrl),
    responses: createStoredResponses(store, vault, createMac(keyring, 'idempotency')),
    cursors: createCursors(createMac(keyring, 'cursor')),
    returnOrigins: new Set([publicUrl, ...config.allowedOrigins]),
  };
}

function wireGateway(below: Below): Gateway {
  const { keyring, config, rateLimit } = below;
  return createGateway({
    ...below,
    connectSessions: createConnectSessionIds(createMac(keyring, 'connect-session')),
    countFailure: (address) => rateLimit.countFailure(addressBlockOf(address)),
    observers: callObserversOf(below),
    beginCall: config.auditCalls === 'sync' ? createBeginCall(below.audit) : undefined,
    tracing: config.tracing,
    version: config.version,
  });
}

function callObserversOf({
  config,
  auditCall,
  usage,
  log,
  metrics,
}: Below): readonly CallObserver[] {
  const always = [
    createCallLog(log),
    createCallCounter(metrics),
    createIntegrationCounter(metrics),
    createUsageObserver(usage),
  ];
  const isAudited = config.auditCalls !== 'off' || config.auditLog;
  return isAudited ? [...always, createCallAudit({ add: auditCall })] : always;
}

function wireAuthorizationServer(below: Below, flow: ConnectFlow): AuthorizationServer {
  const { rateLimit, sourceOf, addressOf, auditCall } = below;
  return createAuthorizationServer({
    ...below,
    flow,
    sessions: below.browserSessions,
    async countClientFailure(req, clientId) {
      await rateLimit.countFailure(`client at ${sourceOf(req)}`);
      if (clientId !== undefined) await rateLimit.countFailure(`client ${clientId}`);
    },
    onIssued(issued, req, requestId) {
      auditCall(issued.organizationId, issueEvent(issued, { requestId, address: addressOf(req) }));
    },
  });
}

function wireApp(
  below: Below,
  flow: ConnectFlow,
  authorizationServer: AuthorizationServer,
  gateway: Gateway,
): RequestListener {
  const { config, store } = below;
  const { externalSignIn, metricsToken, trustedProxies, version, tracing } = config;
  return createApp({
    ...below,
    deps: wireResources(below, gateway),
    authorizationServer,
    signIn: wireSignIn(below, authorizationServer),
    connect: wireConnect(below, flow),
    console: below,
    externalSignIn:
      externalSignIn && createExternalSignIn(externalSignIn, { ...config, ...below, db: store.db }),
    health: { ...below, metricsToken },
    trustedProxies,
    version,
    tracing,
  });
}

function wireResources(below: Below, { aggregateState }: Gateway): RouterDeps {
  return {
    ...below,
    sessions: below.sessions.admin,
    connectLinks: createConnectLinks(below.publicUrl),
    installation: installationSettingsOf(below),
    aggregateState,
  };
}

function installationSettingsOf({ config, keyring, log }: Below): InstallationSettings {
  const { version, build, nodeId, publicUrl, keySource, rateLimit } = config;
  const { sessionWindows, passwordSignIn, externalSignIn } = config;
  const { auditCallDays, auditChangeDays, usageDays } = config;
  return {
    ...{ version, build, nodeId, publicUrl, keySource, rateLimit, sessionWindows, passwordSignIn },
    ...{ auditCallDays, auditChangeDays, usageDays, keyring },
    logLevel: log.level,
    provider: externalSignIn && {
      issuer: externalSignIn.issuer,
      hasGroupsClaim: externalSignIn.groupsClaim !== undefined,
    },
  };
}

function wireSignIn(
  below: Below,
  { findAskingClient }: Pick<AuthorizationServer, 'findAskingClient'>,
): SignInDeps {
  const { config, publicUrl, store, keyring, metrics, forms, onError } = below;
  const { passwordSignIn, externalSignIn } = config;
  return {
    store,
    sessions: below.browserSessions,
    forms,
    throttle: createThrottle(),
    knownBrowsers: createKnownBrowsers(createMac(keyring, 'form'), publicUrl),
    countSignIn: countSignIns(metrics),
    onError,
    findAskingClient,
    hasPasswords: passwordSignIn,
    providerHost: externalSignIn && new URL(externalSignIn.issuer).host,
  };
}

function wireConnect(below: Below, flow: ConnectFlow): ConnectPagesDeps {
  return {
    ...below,
    flow,
    endings: createEndings(createMac(below.keyring, 'form')),
    sessions: below.browserSessions,
    validate: (person, integrationId) => validateAfterConnecting(below, person, integrationId),
  };
}

/** The jobs in the background. */
function startJobs(below: Below) {
  const { config, metrics, log } = below;
  const { version, sessionWindows: windows, usageDays } = config;
  const auditDays = { calls: config.auditCallDays, changes: config.auditChangeDays };
  const onVerified = noteVerifications(metrics, log);
  return {
    housekeeping: startHousekeeping({
      ...below,
      windows,
      auditDays,
      usageDays,
      version,
      onVerified,
    }),
    revalidations: startRevalidations(below),
    revoker: createRevoker({ ...below, onOutcome: countRevocations(metrics) }),
  };
}
