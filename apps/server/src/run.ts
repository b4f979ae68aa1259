import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bootstrap } from './bootstrap.ts';
import { KeyringError } from './credentials/key-check.ts';
import { loadOrCreateKeyFile } from './credentials/key-file.ts';
import type { EncryptionKey } from './credentials/keyring.ts';
import { type Config, ConfigError, loadConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { DatabaseStartError } from './platform/database/start-error.ts';
import type { Store } from './platform/database/store.ts';
import { createLogger } from './platform/logging.ts';
import { createMetrics } from './platform/metrics.ts';
import type { SessionWindows } from './resources/sessions/windows.ts';
import { createService, type Service } from './service.ts';
import { version } from './version.ts';
import { welcome } from './welcome.ts';

/** Starts the server and keeps it until a signal; exits 1 with one sentence when it cannot start. */
export async function run(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    await start(loadConfig(environment));
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  const store = await openDatabase(config);
  try {
    const encryptionKeys = config.encryptionKeys ?? [await ownKey(config.dataDir)];
    const ownerToken = await bootstrap(store, config.bootstrapToken);
    const service = await createService(
      { ...config, encryptionKeys, sessionWindows: sessionWindowsOf(config), version },
      store,
      log,
      createMetrics(),
    );
    const server = await listen(config, service);
    endOnSignal(server, service, store);
    const { port } = server.address() as AddressInfo;
    log.info({ host: config.host, port, database: store.kind }, 'listening');
    process.stdout.write(welcome(config.publicUrl, ownerToken));
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The key file of the data directory cannot be read, made or understood. */
class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

async function ownKey(dataDir: string): Promise<EncryptionKey> {
  try {
    return await loadOrCreateKeyFile(dataDir);
  } catch (cause) {
    throw new KeyFileError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function sessionWindowsOf(config: Config): SessionWindows {
  return {
    active: config.sessionActiveWindow,
    legacyTtl: config.sessionLegacyTtl,
    modernTtl: config.sessionModernTtl,
  };
}

function listen({ host, port }: Config, service: Service): Promise<Server> {
  const server = createServer(service.listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** The first SIGTERM or SIGINT ends in order; the second ends at once. */
function endOnSignal(server: Server, service: Service, store: Store): void {
  let ending = false;
  const end = async () => {
    if (ending) process.exit(1);
    ending = true;
    service.stopServing();
    server.close();
    server.closeIdleConnections();
    await service.close();
    server.closeAllConnections();
    await store.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void end());
  process.on('SIGINT', () => void end());
}

function isOperatorError(error: unknown): error is Error {
  if (error instanceof ConfigError || error instanceof KeyringError) return true;
  if (error instanceof DatabaseStartError || error instanceof KeyFileError) return true;
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}
