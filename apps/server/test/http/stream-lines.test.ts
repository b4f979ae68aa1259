import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { expect, it } from 'vitest';
import { streamLines } from '../../src/http/stream-lines.ts';

it('a response is over also for a client that left before it began', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
  client.end();
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
  client.destroy();
  await once(res, 'close');
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  streamLines(res as Response, { chunks: noChunks(), end }, { error: () => undefined });
  await expect.poll(() => isOver).toBe(true);
  server.close();
});

async function* noChunks(): AsyncGenerator<Uint8Array> {}
