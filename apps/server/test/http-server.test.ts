import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../src/http-server.ts';
import { OperatorError } from '../src/platform/operator-error.ts';
import { isListening } from './support/is-listening.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: gatehouse\r\n\r\n';

async function start(listener: RequestListener) {
  const server = createHttpServer(listener);
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.cut());
  const open = async (sent = REQUEST): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(sent);
    return socket;
  };
  return { server, port, open };
}

/** Everything the server sends until it closes the connection. */
async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('an unused connection outlives the idle timeout of usual load balancers', async () => {
  const { open } = await start((_req, res) => res.end('ok'));
  const [answer] = await once(await open(), 'data');
  expect(String(answer)).toContain('Keep-Alive: timeout=75\r\n');
});

test.runIf(process.platform === 'linux')('TCP keep-alive probes silent clients', async () => {
  const { port, open } = await start((_req, res) => res.flushHeaders());
  await once(await open(), 'data');
  // proc_net_tcp(5): local address, remote address, state (01 is established), queues, timer (02 is keep-alive).
  const connection = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${hex(port)}`) && state === '01');
  const [timer, ticks] = connection?.[5]?.split(':') ?? [];
  expect(timer).toBe('02');
  expect(Number.parseInt(ticks ?? '', 16) / 100).toBeGreaterThan(30);
});

test('requests that arrive before there is a listener wait for it', async () => {
  const server = createHttpServer();
  onTestFinished(() => server.cut());
  const socket = connect(await server.listen(0, '127.0.0.1'), '127.0.0.1');
  socket.write(REQUEST);
  // By then it has arrived.
  await delay(100);
  server.serve((_req, res) => res.end('ok'));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('ok');
});

test('a server that retires takes requests on open connections, and closes each with the response', async () => {
  const { server, port, open } = await start((_req, res) => res.end('ok'));
  const [used, unused] = [await open(), await open('')];
  await once(used, 'data');
  const retired = server.retire(60_000);
  await expect.poll(() => isListening(port), { interval: 1 }).toBe(false);
  for (const socket of [used, unused]) {
    expect(socket.readyState).toBe('open');
    socket.write(REQUEST);
    expect(String(await readAll(socket))).toMatch(
      /^HTTP\/1.1 200 OK\r\n(.*\r\n)*Connection: close\r\n/,
    );
  }
  await retired;
});

test('a server that retires closes a connection after the response that it is sending', async () => {
  const inFlight: ServerResponse[] = [];
  const { server, open } = await start((req, res) => {
    inFlight.push(res);
    if (req.url === '/begun') res.flushHeaders();
  });
  const waiting = await open();
  await expect.poll(() => inFlight.length, { interval: 1 }).toBe(1);
  const begun = await open(REQUEST.replace('/', '/begun'));
  await once(begun, 'readable');
  const retired = server.retire(60_000);
  for (const res of inFlight) res.end('done');
  expect(String(await readAll(waiting))).toMatch(/Connection: close\r\n.*done$/s);
  expect(String(await readAll(begun))).toMatch(/Connection: keep-alive\r\n.*done\r\n0\r\n\r\n$/s);
  await retired;
});

test('a server that retires answers requests that were sent ahead before it closes', async () => {
  const inFlight: ServerResponse[] = [];
  const { server, open } = await start((_req, res) => inFlight.push(res));
  const socket = await open(REQUEST.repeat(3));
  await expect.poll(() => inFlight.length, { interval: 1 }).toBe(1);
  const received = readAll(socket);
  const retired = server.retire(60_000);
  for (const count of [1, 2, 3]) {
    await expect.poll(() => inFlight.length, { interval: 1 }).toBe(count);
    inFlight[count - 1]?.end(`answer ${count}`);
  }
  expect(String(await received).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  await retired;
});

test('a retiring server waits for unused connections no longer than configured', async () => {
  const { server, open } = await start((_req, res) => res.end('ok'));
  const unused = await open('');
  await server.retire(1);
  expect(unused.readyState).toBe('open');
  const drained = server.drain();
  await readAll(unused);
  await drained;
});

test('a server that drains closes what is idle, and the rest once its answer is sent', async () => {
  const inFlight: ServerResponse[] = [];
  const { server, open } = await start((req, res) => {
    if (req.url === '/held') inFlight.push(res);
    else res.end('ok');
  });
  const unused = await open('');
  const idle = await open();
  await once(idle, 'data');
  const held = await open(REQUEST.replace('/', '/held'));
  await expect.poll(() => inFlight.length, { interval: 1 }).toBe(1);

  const drained = server.drain();
  await Promise.all([readAll(unused), readAll(idle)]);
  expect(held.readyState).toBe('open');
  inFlight[0]?.end('done');
  expect(String(await readAll(held))).toContain('done');
  await drained;
});

test('a server that drains sends a long answer whole, however slowly it is read', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, 'x');
  const { server, open } = await start((_req, res) => {
    res.writeHead(200, { 'Content-Length': body.length }).end(body);
  });
  const socket = await open();
  socket.pause();
  await once(socket, 'readable');
  const drained = server.drain();
  const received = await readAll(socket);
  expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(body.length);
  await drained;
});

test('a port that is taken is refused with advice', async () => {
  const { port } = await start((_req, res) => res.end());
  const second = createHttpServer((_req, res) => res.end());
  const refusal = second.listen(port, '127.0.0.1');
  await expect(refusal).rejects.toBeInstanceOf(OperatorError);
  await expect(refusal).rejects.toThrow('Choose another GATEHOUSE_PORT');
});

test('so is a host that does not exist', async () => {
  const server = createHttpServer((_req, res) => res.end());
  await expect(server.listen(0, 'nowhere.invalid')).rejects.toThrow(
    /^getaddrinfo E\w+ nowhere\.invalid\. Choose another GATEHOUSE_PORT or GATEHOUSE_HOST\.$/,
  );
});

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
