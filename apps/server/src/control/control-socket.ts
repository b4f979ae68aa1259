import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { CommandError, EXIT } from './command-error.ts';
import {
  MAX_REQUEST,
  PROTOCOL,
  type ReplyLine,
  readLine,
  requestLine,
  socketPathOf,
} from './protocol.ts';
import { REQUESTS, type RequestName } from './requests.ts';

/** Bytes. macOS has room for 103, Linux for 107, and the socket gets its name in a second step. */
const MAX_PATH = 100;
const DRAFT_SUFFIX_BYTES = 4;

/** Milliseconds for a command to arrive: less than a step of the shutdown gets. */
const TIMEOUT = 4_000;

const MAX_CONNECTIONS = 8;

/** The socket on which commands on this machine reach the server. */
export interface ControlSocket {
  close(): Promise<void>;
}

export interface ControlSocketOptions {
  readonly dataDir: string;
  readonly log: Logger;
  run(name: RequestName, input: never): Promise<unknown>;
}

/**
 * Listens on `<dataDir>/control.sock`, mode 0600: anyone who can write to the data directory can do
 * everything anyway. A socket left by a killed server is replaced. If it cannot be made, the log says
 * so and the server runs without it.
 */
export async function openControlSocket(options: ControlSocketOptions): Promise<ControlSocket> {
  const { dataDir, log } = options;
  const path = socketPathOf(dataDir);
  if (Buffer.byteLength(path) + 2 * DRAFT_SUFFIX_BYTES + 1 > MAX_PATH) {
    log.warn(
      'the path of GATEHOUSE_DATA_DIR is too long for a socket: commands such as sign-in-link will not work',
    );
    return { close: async () => {} };
  }
  try {
    return await listen(path, options);
  } catch (error) {
    log.warn(
      { err: error },
      'no socket can be made in GATEHOUSE_DATA_DIR: commands such as sign-in-link will not work',
    );
    return { close: async () => {} };
  }
}

async function listen(
  path: string,
  { dataDir, log, run }: ControlSocketOptions,
): Promise<ControlSocket> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(TIMEOUT, () => socket.destroy());
    answer(socket, run).catch((error: unknown) => {
      log.warn({ err: error }, 'a command failed');
      socket.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('error', (error) => log.warn({ err: error }, 'the control socket failed'));
  // The socket gets its final name once only its owner can connect; the rename replaces an old one.
  const draft = `${path}.${randomBytes(DRAFT_SUFFIX_BYTES).toString('hex')}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(draft, resolve);
  });
  await chmod(draft, 0o600);
  const { ino } = await stat(draft);
  await rename(draft, path);
  server.unref();
  return { close: () => close(server, path, ino) };
}

async function answer(socket: Socket, run: ControlSocketOptions['run']): Promise<void> {
  socket.on('error', () => socket.destroy());
  const line = await readLine(socket.iterator({ destroyOnReturn: false }), MAX_REQUEST);
  socket.setTimeout(0);
  socket.end(`${JSON.stringify(await replyTo(line, run))}\n`);
}

async function replyTo(line: string, run: ControlSocketOptions['run']): Promise<ReplyLine> {
  const sent = requestLine.safeParse(JSON.parse(line));
  if (!sent.success || !isRequestName(sent.data.request)) return OTHER_VERSION;
  try {
    const { request, input } = sent.data;
    return { protocol: PROTOCOL, reply: await run(request, input as never) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { protocol: PROTOCOL, error: error.message, exitCode: error.exitCode };
  }
}

const OTHER_VERSION: ReplyLine = {
  protocol: PROTOCOL,
  error: 'The server does not know this command: it runs another version of Gatehouse.',
  exitCode: EXIT.failed,
};

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(REQUESTS, name);
}

/** Does nothing if another server has taken the name. */
async function close(server: Server, path: string, ino: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const found = await stat(path).catch(() => undefined);
  if (found?.ino === ino) await rm(path, { force: true });
  await closed;
}
