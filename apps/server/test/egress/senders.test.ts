import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Egress } from '../../src/egress/egress.ts';
import { type Sender, senderKey } from '../../src/egress/sender.ts';
import { closeLater, openEgress, senderOf } from './support.ts';

describe('a connection', () => {
  it.each([
    ['person', senderOf({ userId: 'first' }), senderOf({ userId: 'second' })],
    ['credential', senderOf({ token: 'first' }), senderOf({ token: 'second' })],
    [
      'person, although both send the same credential,',
      senderOf({ userId: 'first', token: 'shared' }),
      senderOf({ userId: 'second', token: 'shared' }),
    ],
  ])('of one %s never brings another the response to the first', async (_, first, second) => {
    // A second response to the first request, sent at the worst moment: when the next one has arrived.
    const upstream = await startUpstream((socket, requestsOnIt, path) => {
      if (requestsOnIt > 1) socket.write(responseOf('meant for /first'));
      socket.write(responseOf(`meant for ${path}`));
    });
    const egress = openEgress();
    expect(await get(egress, `${upstream.origin}/first`, first)).toBe('meant for /first');
    await rest();
    expect(await get(egress, `${upstream.origin}/second`, second)).toBe('meant for /second');
    expect(upstream.connections()).toBe(2);
  });

  it('is used again by the same sender', async () => {
    const upstream = await startUpstream((socket, _count, path) => socket.write(responseOf(path)));
    const egress = openEgress();
    await get(egress, `${upstream.origin}/a`, senderOf({ token: 'secret' }));
    await rest();
    // A credential that is resolved again is another array with the same headers.
    await get(egress, `${upstream.origin}/b`, senderOf({ token: 'secret' }));
    expect(upstream.connections()).toBe(1);
  });

  it.each([
    ['at once', (socket: Socket) => socket.write(responseOf('one') + responseOf('two'))],
    [
      'while it rests',
      (socket: Socket) => {
        socket.write(responseOf('one'));
        setTimeout(() => socket.write(responseOf('two')), 20);
      },
    ],
    [
      'with a single byte',
      (socket: Socket) => {
        socket.write(responseOf('one'));
        setTimeout(() => socket.write('H'), 20);
      },
    ],
  ])('is closed when its upstream speaks out of turn %s', async (_, answerTwice) => {
    let isFirst = true;
    const upstream = await startUpstream((socket) => {
      if (isFirst) answerTwice(socket);
      else socket.write(responseOf('three'));
      isFirst = false;
    });
    const egress = openEgress();
    expect(await get(egress, upstream.origin, senderOf())).toBe('one');
    await upstream.closed;
    expect(await get(egress, upstream.origin, senderOf())).toBe('three');
    expect(upstream.connections()).toBe(2);
  });

  it('that speaks out of turn answers no request that already waits for it', async () => {
    let count = 0;
    const upstream = await startUpstream((socket) => {
      count += 1;
      if (count === 1) socket.write(responseOf('one') + responseOf('stale'));
      else socket.write(responseOf('three'));
    });
    const egress = openEgress({ connectionsPerOrigin: 1 });
    const bodies = [1, 2].map(() => get(egress, upstream.origin, senderOf()));
    expect(await Promise.all(bodies)).toEqual(['one', 'three']);
  });
});

it('the key of a connection contains no secret', () => {
  expect(senderKey(senderOf({ token: 'hunter2' }))).not.toContain('hunter2');
  expect(senderKey(senderOf({ token: 'hunter2' }))).toBe(senderKey(senderOf({ token: 'hunter2' })));
});

/** Long enough for a connection to be ready for its next request. */
async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

function responseOf(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function get(egress: Egress, url: string, sender: Sender): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  const { body } = await egress.request(url, { method: 'GET', maxBytes: 1024, signal, sender });
  return body.toString();
}

/** @param answer gets the connection, the number of requests on it so far, and the path of this one. */
async function startUpstream(answer: (socket: Socket, count: number, path: string) => void) {
  let connections = 0;
  let noteClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    noteClosed = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let count = 0;
    socket.on('error', () => undefined).on('close', noteClosed);
    socket.on('data', (chunk) => {
      count += 1;
      answer(socket, count, chunk.toString('latin1').split(' ')[1] ?? '');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, closed, connections: () => connections };
}
