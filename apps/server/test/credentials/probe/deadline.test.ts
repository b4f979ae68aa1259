import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { EgressOptions } from '../../../src/egress/egress.ts';
import { startNameServer } from '../../egress/name-server.ts';
import { closeLater } from '../../egress/support.ts';
import { probe, SERVER_TOKEN } from './support.ts';

/** A hundredth of those of the service. */
const TIMEOUTS = {
  credential: 40,
  discover: 40,
  oldTransport: 20,
  probe: 90,
  endSession: 10,
} as const;

interface Unreachable {
  readonly url: string;
  readonly egress?: Partial<EgressOptions>;
}

const CASES: readonly (readonly [string, () => Promise<Unreachable>])[] = [
  [
    'the name server is silent',
    async () => {
      const { address } = await startNameServer(() => undefined);
      return { url: 'https://mcp.example/mcp', egress: { names: { servers: [address] } } };
    },
  ],
  [
    'the TLS handshake is never answered',
    async () => ({ url: `https://127.0.0.1:${await startMute()}/mcp` }),
  ],
  ['no response ever comes', async () => ({ url: `http://127.0.0.1:${await startMute()}/mcp` })],
];

it.each(CASES)('validate keeps its deadline when %s', async (_, start) => {
  const { url, egress } = await start();
  const startedAt = performance.now();
  const answer = await probe(url, SERVER_TOKEN, { timeouts: TIMEOUTS, ...(egress && { egress }) });
  // Connecting alone would take 8 s, and a look-up 5.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(answer).toMatchObject({
    status: 'invalid',
    message: expect.stringContaining('did not respond in time'),
  });
});

/** A server that accepts connections and never says anything; its port. */
async function startMute(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
