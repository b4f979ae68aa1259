import { createServer } from 'node:net';
import { closeServer, listen } from '../listen.ts';

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const authority = await listen(server);
  await closeServer(server);
  return Number(authority.split(':').at(-1));
}
