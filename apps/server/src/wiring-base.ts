import type { KeySource } from '@gatehouse/contract';
import type { Logger } from 'pino';
import { createAuditLog } from './audit/audit-log.ts';
import type { RunHead } from './audit/block.ts';
import type { CallInput } from './audit/encode-calls.ts';
import { refreshEvent } from './audit/token-events.ts';
import { AuditWriter } from './audit/writing/audit-writer.ts';
import type { BegunCall } from './audit/writing/prepare-calls.ts';
import { createCatalogues } from './catalogue/catalogues.ts';
import { createCredentials } from './credentials/credentials.ts';
import { countRefreshes } from './credentials/oauth/metrics.ts';
import { logRefusals } from './credentials/oauth/refresh/log-refusals.ts';
import { createRefresher } from './credentials/oauth/refresh/refresher.ts';
import { createProber } from './credentials/probe/prober.ts';
import { createUnreadableRows } from './credentials/unreadable-rows.ts';
import { createEgress } from './egress/egress.ts';
import { UpstreamEras } from './eras/upstream-eras.ts';
import { createAuthenticator } from './identity/authenticator.ts';
import { createBrowserSessions } from './identity/browser-sessions.ts';
import { createConsoleTokens, isConsoleToken } from './identity/console-tokens.ts';
import { findCaller, findCallerAgain } from './identity/find-caller.ts';
import { createTokenUsage } from './identity/token-use.ts';
import { createCallLimits } from './limits/call-limits.ts';
import {
  countBackgroundFailures,
  countLostCalls,
  noteMissingKeys,
  observeAudit,
  observeSessions,
} from './metrics.ts';
import type { Build } from './platform/build.ts';
import { createCache } from './platform/changes/create-cache.ts';
import type { Store } from './platform/database/store.ts';
import type { Metrics } from './platform/metrics.ts';
import { nodeName } from './platform/node-name.ts';
import type { Tracing } from './platform/tracing.ts';
import { createSessions } from './sessions/sessions.ts';
import type { SessionWindows } from './sessions/windows.ts';
import type { ExternalSettings } from './sign-in/external/provider.ts';
import { createUsageCounters } from './usage/usage-counters.ts';
import type { EncryptionKey, Keyring } from './vault/keyring.ts';
import { createMac } from './vault/mac.ts';
import { createVault, type Vault } from './vault/vault.ts';

const MAX_CACHED_TOKENS = 50_000;

export interface ServiceConfig {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly allowedNetworks: readonly string[];
  /** Management requests a minute; 0 for no limit. */
  readonly rateLimit: number;
  readonly metricsToken: string | undefined;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly sessionWindows: SessionWindows;
  /** Whether people may sign in by email and password. */
  readonly passwordSignIn: boolean;
  /** The OpenID Connect provider with which people may sign in. */
  readonly externalSignIn: ExternalSettings | undefined;
  readonly version: string;
  readonly build?: Build | undefined;
  /** Whether the audit has gateway calls, and whether they wait for it. */
  readonly auditCalls: 'behind' | 'sync' | 'off';
  /** Whether events of the audit are lines of the log too. */
  readonly auditLog: boolean;
  /** How many days the audit keeps calls, and changes. */
  readonly auditCallDays: number;
  readonly auditChangeDays: number;
  /** How many days usage is kept. */
  readonly usageDays: number;
  /** Of this process among the nodes. Undefined where it has not announced itself. */
  readonly nodeId: string | undefined;
  /** Where the encryption keys come from. */
  readonly keySource: KeySource;
  /** Undefined where nothing collects traces. */
  readonly tracing?: Tracing | undefined;
}

/** What the parts need in addition to the configuration. */
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

/** What everything above uses: the configuration, the database, the keys and the way out. */
export type Base = ReturnType<typeof wireBase>;

export function wireBase(config: ServiceConfig, options: WiringOptions) {
  const { keyring, metrics, log } = options;
  const countFailure = countBackgroundFailures(metrics);
  const onError = (error: unknown): void => {
    countFailure({});
    options.onError(error);
  };
  const vault = createVault(keyring, noteMissingKeys(keyring, metrics, log));
  const { store } = options;
  const audit = wireAudit(store, vault, options, onError);
  const auditLog = config.auditLog ? createAuditLog(log) : undefined;
  if (auditLog !== undefined) store.subscribeToEvents(auditLog.change);
  return {
    ...options,
    config,
    publicUrl: config.publicUrl,
    vault,
    egress: createEgress(config),
    audit,
    /** Hands the audit what grows with traffic. */
    auditCall: (organizationId: string, event: CallInput, ends?: BegunCall): void => {
      auditLog?.call(organizationId, event);
      if (config.auditCalls !== 'off') audit.add(organizationId, event, ends);
    },
    onError,
  };
}

function wireAudit(
  store: Store,
  vault: Vault,
  { log, metrics }: WiringOptions,
  onError: (error: unknown) => void,
): AuditWriter {
  // As `audit verify --head` takes it.
  const onHead = ({ run, number, hash }: RunHead) =>
    log.info({ head: `${run}:${number}:${hash}` }, 'audit head');
  const onLost = countLostCalls(metrics);
  const audit = new AuditWriter({ store, vault, node: nodeName(), onHead, onLost, onError });
  observeAudit(metrics, audit);
  return audit;
}

/** Identity, credentials, sessions, limits and usage. */
export type Domains = ReturnType<typeof wireDomains>;

export function wireDomains(base: Base) {
  const { store, onError } = base;
  return {
    ...wireIdentity(base),
    ...wireCredentials(base),
    sessions: wireSessions(base),
    callLimits: createCallLimits(base),
    usage: createUsageCounters(store, onError),
  };
}

function wireIdentity({ store, publicUrl, keyring, onError }: Base) {
  const consoleTokens = createConsoleTokens(createMac(keyring, 'console'));
  const tokenUsage = createTokenUsage(store, onError);
  const authenticator = createAuthenticator({
    cache: createCache({ changes: store.changes, maxEntries: MAX_CACHED_TOKENS }),
    find: (token) =>
      isConsoleToken(token)
        ? consoleTokens.find(store.db, token)
        : findCaller(store.db, publicUrl, token),
    findAgain: (caller) => findCallerAgain(store.db, caller),
    noteUse: tokenUsage.note,
  });
  const browserSessions = createBrowserSessions(store, publicUrl);
  return { authenticator, tokenUsage, browserSessions, consoleTokens };
}

function wireCredentials(base: Base) {
  const { store, vault, egress, publicUrl, auditCall, metrics, log, onError } = base;
  const countRefresh = countRefreshes(metrics);
  const refresher = createRefresher({
    ...{ store, vault, egress, onError },
    onOutcome(outcome, connection) {
      countRefresh(outcome);
      auditCall(connection.organizationId, refreshEvent(connection, outcome));
    },
    onRefusal: logRefusals(log),
  });
  const onUnreadable = createUnreadableRows(log, metrics);
  const credentials = createCredentials({ store, vault, refresher, onUnreadable, onError });
  const eras = new UpstreamEras({ store, egress, onError });
  const catalogues = createCatalogues(store, onError);
  const prober = createProber({
    ...{ credentials, egress, publicUrl, eras },
    noteLists: catalogues.record,
  });
  return { credentials, refresher, prober, eras, catalogues };
}

function wireSessions({ store, vault, keyring, config, metrics, log, onError }: Base) {
  const sessions = createSessions({
    store,
    vault,
    mac: createMac(keyring, 'question'),
    windows: config.sessionWindows,
    onError,
    onUntakenAnswer: (error) =>
      log.warn({ err: error }, 'an answer of a client could not be taken'),
  });
  observeSessions(metrics, sessions.activity);
  return sessions;
}
