import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fault } from '../../src/fault-proxy/fault.ts';
import { type FaultProxy, startFaultProxy } from '../../src/fault-proxy/start-fault-proxy.ts';
import { closeServer, listen } from '../../src/listen.ts';

let target: Server;
let proxy: FaultProxy;
const sockets: Socket[] = [];

/** Echoes whatever it gets, and ends when the client ends. */
beforeEach(async () => {
  target = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).pipe(socket);
  });
  const authority = await listen(target);
  proxy = await startFaultProxy({ target: { port: Number(authority.split(':')[1]) } });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.close();
  await closeServer(target);
});

async function open(): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function receive(socket: Socket, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  while (received < length) {
    const [chunk] = await once(socket, 'data');
    chunks.push(chunk);
    received += chunk.length;
  }
  return Buffer.concat(chunks);
}

async function echo(socket: Socket, text: string): Promise<string> {
  const answer = receive(socket, Buffer.byteLength(text));
  socket.write(text);
  return String(await answer);
}

/** Whether the socket stays silent and open for a while. */
async function staysSilent(socket: Socket): Promise<boolean> {
  const heard = ['data', 'end', 'close'].map((event) => once(socket, event).then(() => false));
  return Promise.race([...heard, delay(80, true)]);
}

it('passes both ways, ends with the client and counts', async () => {
  const socket = await open();
  expect(await echo(socket, 'hello')).toBe('hello');
  expect(proxy.counts).toEqual({ accepted: 1, open: 1, toTarget: 5, toClient: 5 });
  socket.end('bye');
  expect(String(await receive(socket, 3))).toBe('bye');
  if (!socket.readableEnded) await once(socket, 'end');
  await expect.poll(() => proxy.counts.open).toBe(0);
});

it('passes a large body unharmed', async () => {
  const socket = await open();
  const sent = Buffer.alloc(5 * 1024 * 1024, 'abcdefg');
  const answer = receive(socket, sent.length);
  socket.write(sent);
  expect((await answer).equals(sent)).toBe(true);
});

it('keeps a half-closed connection open for the answer', async () => {
  target.removeAllListeners('connection');
  target.on('connection', (socket) => {
    socket.on('end', () => setTimeout(() => socket.end('late'), 30)).resume();
  });
  const socket = await open();
  socket.write('question');
  await expect.poll(() => proxy.counts.toTarget).toBe(8);
  socket.end();
  expect(String(await receive(socket, 4))).toBe('late');
});

it('tells a sending target at once that the client has left', async () => {
  target.removeAllListeners('connection');
  const left = new Promise<void>((resolve) => {
    target.on('connection', (socket) => {
      const timer = setInterval(() => socket.write('more'), 5);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(timer);
        resolve();
      });
    });
  });
  const socket = await open();
  await receive(socket, 8);
  socket.destroy();
  await left;
});

it('adds latency in each direction', async () => {
  const socket = await open();
  proxy.setFault({ kind: 'latency', milliseconds: 60 });
  const start = performance.now();
  await echo(socket, 'hello');
  expect(performance.now() - start).toBeGreaterThanOrEqual(118);
});

it('swallows everything in a black hole and keeps the connection open', async () => {
  const socket = await open();
  await echo(socket, 'before');
  proxy.setFault({ kind: 'black-hole' });
  socket.write('lost');
  expect(await staysSilent(socket)).toBe(true);
  const accepted = await open();
  accepted.end('lost too');
  expect(await staysSilent(accepted)).toBe(true);
  expect(proxy.counts.open).toBe(2);
  proxy.setFault({ kind: 'pass' });
  expect(await echo(socket, 'after')).toBe('after');
});

it('keeps the client waiting in a black hole even when the target closes', async () => {
  const socket = await open();
  await echo(socket, 'before');
  proxy.setFault({ kind: 'black-hole' });
  for (const inbound of sockets) if (inbound !== socket) inbound.destroy();
  expect(await staysSilent(socket)).toBe(true);
});

it('resets open connections and new ones', async () => {
  const socket = await open();
  await echo(socket, 'before');
  const failed = once(socket, 'error');
  proxy.setFault({ kind: 'reset' });
  const [error] = await failed;
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  const refused = connect({ host: proxy.host, port: proxy.port });
  sockets.push(refused);
  const [second] = await once(refused, 'error');
  expect(second).toMatchObject({ code: 'ECONNRESET' });
});

it('cuts the connection after exactly that number of bytes', async () => {
  const socket = await open();
  await echo(socket, 'not counted');
  proxy.setFault({ kind: 'limit-data', bytes: 10 });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.write('0123');
  socket.write('456789abcdef');
  await once(socket, 'end');
  expect(String(Buffer.concat(received))).toBe('0123456789');
});

it('limits the bandwidth', async () => {
  const socket = await open();
  proxy.setFault({ kind: 'bandwidth', bytesPerSecond: 20_000 });
  const start = performance.now();
  await echo(socket, 'x'.repeat(4000));
  const elapsed = performance.now() - start;
  expect(elapsed).toBeGreaterThan(180);
  expect(elapsed).toBeLessThan(30_000);
});

it('delivers in slices', async () => {
  const socket = await open();
  proxy.setFault({ kind: 'slice', bytes: 2 });
  const sizes: number[] = [];
  socket.on('data', (chunk: Buffer) => sizes.push(chunk.length));
  expect(await echo(socket, 'abcdefghij')).toBe('abcdefghij');
  expect(sizes.length).toBeGreaterThan(1);
});

it.each<Fault>([{ kind: 'pass' }, { kind: 'black-hole' }])(
  'drops open connections under $kind and accepts new ones',
  async (fault) => {
    const socket = await open();
    await echo(socket, 'before');
    proxy.setFault(fault);
    const closed = once(socket, 'end');
    proxy.dropConnections();
    await closed;
    proxy.setFault({ kind: 'pass' });
    expect(await echo(await open(), 'again')).toBe('again');
  },
);

it('resets the client when the target cannot be reached', async () => {
  await closeServer(target);
  const [error] = await once(await open(), 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});

it('tells the target of the end of a client that left during a black hole', async () => {
  const socket = await open();
  await echo(socket, 'before');
  proxy.setFault({ kind: 'black-hole' });
  socket.destroy();
  await delay(20);
  expect(proxy.counts.open).toBe(1);
  proxy.setFault({ kind: 'pass' });
  await expect.poll(() => proxy.counts.open).toBe(0);
});
