import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Command, type Reply, readLine, replySchema, socketPathOf } from './protocol.ts';

/** Milliseconds that the server may take. */
const TIMEOUT = 15_000;

/** The command could not be run; the message is one sentence for whoever typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Has the running server do a command. @throws CommandError */
export async function sendCommand(dataDir: string, command: Command): Promise<Reply> {
  const path = socketPathOf(dataDir);
  const socket = await open(path);
  try {
    socket.setTimeout(TIMEOUT, () => socket.destroy());
    socket.end(`${JSON.stringify(command)}\n`);
    return replySchema.parse(JSON.parse(await readLine(socket)));
  } catch (cause) {
    throw new CommandError('The server did not answer. Its log may say why.', { cause });
  } finally {
    socket.destroy();
  }
}

async function open(path: string): Promise<Socket> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return socket;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const reason =
      code === 'EACCES'
        ? `${path} may be used by the user of the server alone.`
        : `No server listens at ${path}. Start it, or set GATEHOUSE_DATA_DIR to that of the running server.`;
    throw new CommandError(reason, { cause });
  }
}
