import { resolve } from 'node:path';
import { type ControlSocket, openControlSocket } from './control/control-socket.ts';
import { runRequest } from './control/requests.ts';
import { endOnSignal } from './end-on-signal.ts';
import { writeFirstOwner } from './first-start.ts';
import { createHttpServer } from './http-server.ts';
import { observeNode } from './metrics.ts';
import { build } from './platform/build.ts';
import { type Config, unknownVariables } from './platform/config/config.ts';
import type { EmbeddedFailure } from './platform/database/disk-guard.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { OutageLog } from './platform/database/outage-log.ts';
import { runStartStep } from './platform/database/start-step.ts';
import type { Store } from './platform/database/store.ts';
import { letHeapGrow } from './platform/heap-growth.ts';
import { createLogger, type Logger } from './platform/logging.ts';
import { createMetrics } from './platform/metrics.ts';
import { OperatorError } from './platform/operator-error.ts';
import { makePrivate } from './platform/private-directory.ts';
import { startWatch } from './platform/watch/watch.ts';
import { createService } from './service.ts';
import type { SessionWindows } from './sessions/windows.ts';
import type { ExternalSettings } from './sign-in/external/provider.ts';
import { startTelemetry } from './telemetry/start-telemetry.ts';
import { loadOrCreateKeyFile } from './vault/key-file.ts';
import type { EncryptionKey, Keyring } from './vault/keyring.ts';
import { createLiveKeyring, keysOfFile, type LiveKeyring } from './vault/live-keyring.ts';
import { announceKeys, type NodeKeys } from './vault/node-keys.ts';
import { version } from './version.ts';

/** Milliseconds to send responses after the embedded database has failed. */
const FAILURE_GRACE = 1_000;

/** Starts the server and runs it until a signal. @throws OperatorError when it cannot start */
export async function start(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  letHeapGrow();
  const outages = new OutageLog();
  const log = createLogger(config.logLevel, undefined, (error) => outages.covers(error));
  const metrics = createMetrics();
  for (const variable of unknownVariables(environment)) {
    log.warn({ variable }, 'the server has no such setting');
  }
  const { registry } = metrics;
  const telemetry = await startTelemetry({ environment, registry, version, log });
  closeToOthers(config.dataDir, log);
  const store = await openDatabase(config, { onFailure: endOnFailure(log) });
  outages.watch(store, log);
  let nodeKeys: NodeKeys | undefined;
  try {
    const encryptionKeys = config.encryptionKeys ?? (await loadKeyFile(config.dataDir));
    const keyring = createLiveKeyring(encryptionKeys);
    const node = await runStartStep(store.kind, () => announceNode(store, keyring, log));
    nodeKeys = node;
    const service = await runStartStep(store.kind, () =>
      createService(
        {
          ...config,
          encryptionKeys,
          sessionWindows: sessionWindowsOf(config),
          externalSignIn: externalSignInOf(config),
          version,
          build,
          nodeId: node.nodeId,
          keySource: config.encryptionKeys === undefined ? 'file' : 'environment',
          tracing: telemetry?.tracing,
        },
        store,
        log,
        metrics,
        keyring,
      ),
    );
    // Bound before the first owner is written, so that a start that fails on the port writes nothing.
    const server = createHttpServer(undefined, {
      onFull: () => log.warn('connections are refused: there are as many as the server holds'),
    });
    const port = await server.listen(config.port, config.host);
    observeNode(metrics, { server, nodeKeys: node, store });
    const control = await openControl(config, { store, keyring, nodeKeys: node }, log);
    // Last, once nothing else can fail.
    const started = writeFirstOwner(store, config, log).then(() => server.serve(service.listener));
    const { shutdownDelay } = config;
    endOnSignal({
      server,
      service,
      control,
      nodeKeys: node,
      store,
      outages,
      log,
      telemetry,
      shutdownDelay,
      started,
    });
    await started;
    const runs = { version, ...build, node: process.versions.node };
    log.info({ host: config.host, port, database: store.kind, ...runs }, 'listening');
    // Not before: to create, recover or migrate an embedded database may hold the main thread for long.
    startWatch(log);
  } catch (error) {
    await nodeKeys?.close();
    await store.close().catch(() => undefined);
    throw error;
  }
}

function announceNode(store: Store, keyring: Keyring, log: Logger): Promise<NodeKeys> {
  return announceKeys({
    store,
    keyring,
    version,
    onError: (error) => log.warn({ err: error }, 'the keys of this node were not announced'),
    onConflict: ({ code, keyIds }) => log.error({ code, keyIds }, 'nodes do not share their keys'),
  });
}

interface Controlled {
  readonly store: Store;
  readonly keyring: LiveKeyring;
  readonly nodeKeys: NodeKeys;
}

function openControl(
  { dataDir, publicUrl, encryptionKeys }: Config,
  { store, keyring, nodeKeys }: Controlled,
  log: Logger,
): Promise<ControlSocket> {
  const keys =
    encryptionKeys === undefined ? keysOfFile(dataDir, store, keyring, nodeKeys.tell) : { keyring };
  const deps = { store, publicUrl, keys };
  return openControlSocket({ dataDir, log, run: (name, input) => runRequest(deps, name, input) });
}

function closeToOthers(dataDir: string, log: Logger): void {
  const entries = makePrivate(dataDir);
  if (entries === 0) return;
  const path = resolve(dataDir);
  log.warn({ path, entries }, 'other users have rights in the data directory');
}

/**
 * Ends the process with exit code 1 soon after the embedded database has failed: what is being answered
 * gets its 503, and a supervisor starts the process again. (A start that fails before that says so
 * itself.)
 */
function endOnFailure(log: Logger): (error: EmbeddedFailure) => void {
  return ({ message, reason }) => {
    log.fatal({ reason }, message);
    setTimeout(() => process.exit(1), FAILURE_GRACE);
  };
}

async function loadKeyFile(dataDir: string): Promise<readonly EncryptionKey[]> {
  try {
    return await loadOrCreateKeyFile(dataDir);
  } catch (cause) {
    throw new OperatorError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function sessionWindowsOf(config: Config): SessionWindows {
  return {
    active: config.sessionActiveWindow,
    legacyTtl: config.sessionLegacyTtl,
    modernTtl: config.sessionModernTtl,
  };
}

function externalSignInOf(config: Config): ExternalSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  const { oidcAllowedDomains: allowedDomains, oidcRoleClaim: roleClaim } = config;
  const { oidcGroupsClaim: groupsClaim } = config;
  return { issuer, clientId, clientSecret, allowedDomains, roleClaim, groupsClaim };
}
