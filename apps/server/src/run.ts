import type { IncomingMessage, ServerResponse } from 'node:http';
import { bootstrap } from './bootstrap.ts';
import { endOnSignal } from './end-on-signal.ts';
import { sendProblem } from './gateway/answers.ts';
import { requestIdOf } from './http/request-id.ts';
import { createHttpServer, type HttpServer, ListenError } from './http-server.ts';
import { type Config, ConfigError, loadConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { DatabaseStartError, runStartStep } from './platform/database/start-error.ts';
import type { Store } from './platform/database/store.ts';
import { createLogger } from './platform/logging.ts';
import { createMetrics } from './platform/metrics.ts';
import { ProblemError } from './platform/problem-error.ts';
import { createService, type Service } from './service.ts';
import type { SessionWindows } from './sessions/windows.ts';
import { KeyringError } from './vault/key-check.ts';
import { loadOrCreateKeyFile } from './vault/key-file.ts';
import type { EncryptionKey } from './vault/keyring.ts';
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
    const service = await runStartStep(store.kind, () =>
      createService(
        { ...config, encryptionKeys, sessionWindows: sessionWindowsOf(config), version },
        store,
        log,
        createMetrics(),
      ),
    );
    const server = createHttpServer(refuseYet);
    const port = await server.listen(config.port, config.host);
    const started = open(config, store, server, service);
    endOnSignal({ server, service, store, log, started });
    await started;
    log.info({ host: config.host, port, database: store.kind }, 'listening');
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Writes the first owner once nothing else of the start can fail, and shows the token in the same
 * turn: between the two only the end of the process can come.
 */
async function open(
  config: Config,
  store: Store,
  server: HttpServer,
  service: Service,
): Promise<void> {
  const ownerToken = await runStartStep(store.kind, () => bootstrap(store, config.bootstrapToken));
  process.stdout.write(welcome(config.publicUrl, ownerToken));
  server.serve(service.listener);
}

/** The port is taken before the first owner is written: a start that fails on it leaves nothing behind. */
function refuseYet(req: IncomingMessage, res: ServerResponse): void {
  const error = new ProblemError('overloaded', 'The service is starting.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
  const requestId = requestIdOf(req.headers['x-request-id']?.toString());
  sendProblem(req, res, error, { requestId, extraHeaders: [] });
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

function isOperatorError(error: unknown): error is Error {
  if (error instanceof ConfigError || error instanceof KeyringError) return true;
  if (error instanceof DatabaseStartError || error instanceof KeyFileError) return true;
  return error instanceof ListenError;
}
