import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CommandError, EXIT } from './command-error.ts';
import { MAX_REPLY, PROTOCOL, readLine, replyLine, socketPathOf } from './protocol.ts';
import { type InputOf, REQUESTS, type ReplyOf, type RequestName } from './requests.ts';

/** Milliseconds that the server may take. */
const TIMEOUT = 30_000;

/**
 * Sends a request to the running server.
 *
 * @returns `undefined` when no server listens in the data directory
 * @throws CommandError
 */
export async function sendRequest<Name extends RequestName>(
  dataDir: string,
  name: Name,
  input: InputOf<Name>,
): Promise<ReplyOf<Name> | undefined> {
  const socket = await open(socketPathOf(dataDir));
  if (socket === undefined) return undefined;
  const reply = await exchange(socket, { protocol: PROTOCOL, request: name, input });
  return REQUESTS[name].reply.parse(reply) as ReplyOf<Name>;
}

async function exchange(socket: Socket, request: unknown): Promise<unknown> {
  try {
    socket.setTimeout(TIMEOUT, () => socket.destroy());
    socket.end(`${JSON.stringify(request)}\n`);
    const line = replyLine.parse(JSON.parse(await readLine(socket, MAX_REPLY)));
    if ('error' in line) throw new CommandError(line.error, line.exitCode);
    return line.reply;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(
      'The server did not answer as expected: its log may say why, or it runs another version of Gatehouse.',
      EXIT.unreachable,
      { cause },
    );
  } finally {
    socket.destroy();
  }
}

/** Undefined when there is no socket, or one that a killed server has left. */
async function open(path: string): Promise<Socket | undefined> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return socket;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    const message =
      code === 'EACCES'
        ? `${path} is only usable by the server's user. Run the command as that user.`
        : `${path} cannot be used (${String(code)}).`;
    throw new CommandError(message, EXIT.unreachable, { cause });
  }
}
