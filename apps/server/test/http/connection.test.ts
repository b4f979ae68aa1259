import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer, type HttpServerOptions } from '../../src/http-server.ts';

const MIB = 1024 * 1024;

async function start(listener: RequestListener, options: HttpServerOptions = {}) {
  const server = createHttpServer(listener, options);
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.cut());
  return async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** Also when it is reset. */
function closeOf(socket: Socket): Promise<unknown> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', resolve));
}

function collect(socket: Socket): { text: string } {
  const collected = { text: '' };
  socket.on('data', (chunk) => {
    collected.text += String(chunk);
  });
  return collected;
}

/** Sends as fast as the server reads, until the connection breaks. @returns the bytes sent. */
async function sendUntilClosed(socket: Socket, total: number): Promise<number> {
  let sent = 0;
  let isClosed = false;
  const closed = closeOf(socket).then(() => {
    isClosed = true;
  });
  const chunk = Buffer.alloc(MIB);
  while (!isClosed && sent < total) {
    sent += chunk.length;
    if (!socket.write(chunk)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
  }
  return sent;
}

describe('after an early refusal', () => {
  const refuse: RequestListener = (_req, res) => {
    res.writeHead(413, { 'Content-Length': 0 }).end();
  };

  test('the rest of a body is read up to a bound, and the response arrives', async () => {
    const open = await start(refuse);
    const socket = await open();
    const received = collect(socket);
    socket.write(post(600 * MIB));
    expect(await sendUntilClosed(socket, 600 * MIB)).toBeLessThan(64 * MIB);
    expect(received.text).toContain('HTTP/1.1 413');
  });

  test('a body within the bound is read whole, and the connection goes on', async () => {
    const open = await start((req, res) =>
      req.method === 'POST' ? refuse(req, res) : res.end('ok'),
    );
    const socket = await open();
    const received = collect(socket);
    socket.write(post(6 * MIB));
    socket.write(Buffer.alloc(6 * MIB));
    socket.write(get('/'));
    await expect.poll(() => received.text, { timeout: 20_000 }).toMatch(/413[\s\S]*HTTP\/1\.1 200/);
  });

  test.each(['HTTP/1.0', 'HTTP/1.1'])(
    'a proxy that sends the whole body before it reads gets the response, by %s',
    async (version) => {
      const open = await start(refuse);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const socket = await open();
        const failed: unknown[] = [];
        socket.on('error', (error) => failed.push(error));
        socket.pause();
        socket.write(
          `POST / ${version}\r\nConnection: close\r\nContent-Length: ${6 * MIB}\r\n\r\n`,
        );
        for (let sent = 0; sent < 6; sent += 1) {
          await new Promise((resolve) => socket.write(Buffer.alloc(MIB), resolve));
        }
        const received = collect(socket);
        socket.resume();
        await closeOf(socket);
        expect(failed).toEqual([]);
        expect(received.text).toContain('HTTP/1.1 413');
      }
    },
  );

  test('a body that comes slowly is not waited for', async () => {
    const open = await start(refuse, { limits: { rest: { bytes: MIB, time: 300 } } });
    const socket = await open();
    const received = collect(socket);
    socket.write(post(MIB));
    const trickle = setInterval(() => socket.write('x'), 100);
    await closeOf(socket);
    clearInterval(trickle);
    expect(received.text).toContain('HTTP/1.1 413');
  });
});

describe('requests that a client sends ahead', () => {
  test('are handled one at a time, in order', async () => {
    const handled: { path: string; res: ServerResponse }[] = [];
    const open = await start((req, res) => handled.push({ path: String(req.url), res }));
    const socket = await open();
    const received = collect(socket);
    socket.write(get('/1') + get('/2') + get('/3'));
    await expect.poll(() => handled.length).toBe(1);
    await delay(50);
    for (const count of [1, 2, 3]) {
      expect(handled.map(({ path }) => path)).toEqual(['/1', '/2', '/3'].slice(0, count));
      handled.at(-1)?.res.end(`answer ${count}`);
      await expect.poll(() => received.text).toContain(`answer ${count}`);
      if (count < 3) await expect.poll(() => handled.length).toBe(count + 1);
    }
  });

  test('wait while the response before is not read', async () => {
    let handled = 0;
    const open = await start((_req, res) => {
      handled += 1;
      res.end(Buffer.alloc(32 * MIB));
    });
    const socket = await open();
    socket.pause();
    socket.write(get('/').repeat(60));
    await delay(500);
    expect(handled).toBe(1);
  });

  test('end the connection when there are too many', async () => {
    const open = await start(() => undefined);
    const socket = await open();
    socket.write(get('/').repeat(200));
    await closeOf(socket);
  });

  test('with bodies are read whole', async () => {
    const open = await start((req, res) => {
      let size = 0;
      req.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      req.on('end', () => res.end(`size ${size};`));
    });
    const socket = await open();
    const received = collect(socket);
    socket.write(`${post(3)}abc${post(5)}`);
    await delay(20);
    socket.write('defgh');
    await expect.poll(() => received.text).toMatch(/size 3;[\s\S]*size 5;/);
  });
});

test('a response that nobody reads ends the connection', async () => {
  const open = await start((_req, res) => res.end(Buffer.alloc(32 * MIB)), {
    limits: { writeStall: 300 },
  });
  const socket = await open();
  socket.pause();
  socket.write(get('/'));
  await delay(1_500);
  socket.resume();
  const received = { size: 0 };
  socket.on('data', (chunk: Buffer) => {
    received.size += chunk.length;
  });
  await closeOf(socket);
  expect(received.size).toBeLessThan(32 * MIB);
});

test('a response that is read slowly is sent whole', async () => {
  const open = await start((_req, res) => res.end(Buffer.alloc(8 * MIB)), {
    limits: { writeStall: 1_000 },
  });
  const socket = await open();
  let size = 0;
  socket.write(get('/'));
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  await expect.poll(() => size, { timeout: 60_000 }).toBeGreaterThan(8 * MIB);
});

describe('a request body', () => {
  const read: RequestListener = (req, res) => {
    req.resume().on('end', () => res.end('read'));
  };
  const options = {
    limits: { paceWindow: 500, paceBytes: 1_000 },
    paceCheckInterval: 50,
  };

  test('that arrives too slowly is refused', async () => {
    const open = await start(read, options);
    const socket = await open();
    const received = collect(socket);
    socket.write(post(MIB));
    const trickle = setInterval(() => socket.write('x'), 50);
    await closeOf(socket);
    clearInterval(trickle);
    expect(received.text).toContain('HTTP/1.1 400');
    expect(received.text).toContain('did not arrive in time');
  });

  test('may take as long as it keeps its pace', async () => {
    const open = await start(read, options);
    const socket = await open();
    const received = collect(socket);
    socket.write(post(100_000));
    for (let sent = 0; sent < 100_000; sent += 2_000) {
      socket.write(Buffer.alloc(2_000));
      await delay(40);
    }
    await expect.poll(() => received.text).toContain('read');
  });

  test('that we do not read may wait', async () => {
    const open = await start((req, res) => {
      setTimeout(() => read(req, res), 2_000);
    }, options);
    const socket = await open();
    const received = collect(socket);
    socket.write(post(3));
    await delay(1_000);
    socket.write('abc');
    await expect.poll(() => received.text, { timeout: 20_000 }).toContain('read');
  });
});

test('connections beyond the maximum are refused, and this is reported once', async () => {
  let full = 0;
  const open = await start((_req, res) => res.end('ok'), {
    maxConnections: 2,
    onFull: () => {
      full += 1;
    },
  });
  const first = await open();
  await open();
  let refused = 0;
  for (let i = 0; i < 3; i += 1) {
    void closeOf(await open()).then(() => {
      refused += 1;
    });
  }
  await expect.poll(() => refused).toBe(3);
  expect(full).toBe(1);
  const received = collect(first);
  first.write(get('/'));
  await expect.poll(() => received.text).toContain('ok');
});
