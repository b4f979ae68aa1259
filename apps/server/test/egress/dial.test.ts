import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { AdmitAddresses } from '../../src/egress/connector.ts';
import type { Egress, EgressOptions } from '../../src/egress/egress.ts';
import { EgressError } from '../../src/egress/errors.ts';
import { closeLater, openEgress as open, senderOf } from './support.ts';

describe('dialling', () => {
  it('resolves a name once per connection and reaches the address it checked', async () => {
    const { port, hits } = await startHttp();
    const lookups: string[] = [];
    const egress = open({ resolve: answering(lookups, ['127.0.0.1'], ['10.0.0.1']) });
    for (const path of ['/a', '/b', '/c']) {
      await get(egress, `http://upstream.test:${port}${path}`);
      await nextTurn();
    }
    expect(lookups).toEqual(['upstream.test']);
    expect(hits).toEqual(['/a', '/b', '/c']);
  });

  it('refuses a name when only one of its addresses is not allowed', async () => {
    const { port, hits } = await startHttp();
    const egress = open({ resolve: answering([], ['127.0.0.1', '169.254.169.254']) });
    const error = await failure(get(egress, `http://upstream.test:${port}/`));
    expect([error.kind, error.reason]).toEqual(['denied', 'address_not_allowed']);
    expect(hits).toEqual([]);
  });

  it('refuses a name that turns to another address when it is dialled again', async () => {
    const { port, server } = await startHttp();
    const lookups: string[] = [];
    const egress = open({
      resolve: answering(lookups, ['127.0.0.1'], ['127.0.0.1', '192.168.0.1']),
    });
    await get(egress, `http://upstream.test:${port}/`);
    const gone = new Promise((resolve) =>
      egress.poolFor(`http://upstream.test:${port}`, senderOf()).once('disconnect', resolve),
    );
    server.closeAllConnections();
    await gone;
    const error = await failure(get(egress, `http://upstream.test:${port}/`));
    expect([error.kind, lookups.length]).toEqual(['denied', 2]);
  });

  it('admits each connection by the addresses that it may reach, where the caller asks for it', async () => {
    const { port, hits } = await startHttp();
    const egress = open({ resolve: answering([], ['127.0.0.1'], ['127.0.0.1', '::1'], ['::1']) });
    const seen: (readonly string[])[] = [];
    const admit = (addresses: readonly string[]) => {
      seen.push(addresses);
      return addresses.includes('127.0.0.1');
    };
    const request = (host: string, path: string) =>
      get(egress, `http://${host}:${port}${path}`, { admit });
    // The first connection could be used again.
    await request('upstream.test', '/a');
    await request('upstream.test', '/b');
    expect((await failure(request('upstream.test', '/c'))).kind).toBe('denied');
    await request('127.0.0.1', '/d');
    expect((await failure(request('[::1]', '/e'))).kind).toBe('denied');
    expect(seen).toEqual([['127.0.0.1'], ['127.0.0.1', '::1'], ['::1'], ['127.0.0.1'], ['::1']]);
    expect(hits).toEqual(['/a', '/b', '/d']);
  });

  it('does not ask whether to reach an address that is denied', async () => {
    const egress = open({ resolve: answering([], ['127.0.0.1', '10.0.0.1']) });
    const admit = vi.fn(() => true);
    await failure(get(egress, 'http://upstream.test/', { admit }));
    await failure(get(egress, 'http://10.0.0.1/', { admit }));
    expect(admit).not.toHaveBeenCalled();
  });

  it.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254'])(
    'refuses the literal address %s, which no lookup sees',
    async (host) => {
      const { port, server } = await startHttp();
      let dialled = 0;
      server.on('connection', () => {
        dialled += 1;
      });
      const egress = open({ allowedNetworks: [] });
      expect((await failure(get(egress, `http://${host}:${port}/`))).kind).toBe('denied');
      // Connections are accepted in their order: after this one, an earlier one would have been counted.
      await get(open({}), `http://127.0.0.1:${port}/`);
      expect(dialled).toBe(1);
    },
  );

  it('refuses localhost by its addresses', async () => {
    const { port, hits } = await startHttp();
    const egress = open({ allowedNetworks: [] });
    for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
      expect((await failure(get(egress, `http://${host}:${port}/`))).kind).toMatch(
        /denied|unreachable/,
      );
    }
    expect(hits).toEqual([]);
  });

  it('hangs up on a peer at another address than the one checked', async () => {
    const { port, hits } = await startHttp();
    // An answer that reads as one address to the check and as another to the system.
    const asked: string[] = [];
    const egress = open({
      allowedNetworks: ['127.0.0.5'],
      resolve: async (name) => {
        asked.push(name);
        let reads = 0;
        return [
          {
            family: 4,
            get address() {
              reads += 1;
              return reads === 1 ? '127.0.0.5' : '127.0.0.1';
            },
          },
        ];
      },
    });
    expect((await failure(get(egress, `http://upstream.test:${port}/`))).kind).toBe('denied');
    expect([asked.length, hits]).toEqual([1, []]);
  });

  it('carries credentials over plain http only into the allowed networks', async () => {
    const egress = open({ allowedNetworks: [], resolve: answering([], ['8.8.8.8']) });
    const error = await failure(get(egress, 'http://upstream.test/', { token: 'secret' }));
    expect([error.kind, error.reason]).toEqual(['denied', 'plain_http_with_credentials']);
    const literal = await failure(get(egress, 'http://8.8.8.8/', { token: 'secret' }));
    expect(literal.reason).toBe('plain_http_with_credentials');
    const { port } = await startHttp();
    expect(await get(open({}), `http://127.0.0.1:${port}/`, { token: 'secret' })).toMatchObject({
      status: 200,
    });
  });
});

describe('dial errors', () => {
  it('tells a refused port from a name that is not resolved in time', async () => {
    const port = await freePort();
    expect(await failure(get(open({}), `http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'unreachable',
      reason: 'refused',
    });

    const silent = open({ resolve: () => new Promise(() => undefined), connectTimeout: 20 });
    expect(await failure(get(silent, 'http://upstream.test/'))).toMatchObject({ kind: 'timeout' });
  });

  it('names an untrusted certificate, and TLS spoken to a plain server', async () => {
    const tls = await startHttps();
    expect(await failure(get(open({}), `https://localhost:${tls}/`))).toMatchObject({
      kind: 'tls',
      reason: 'certificate_untrusted',
    });
    const { port } = await startHttp();
    expect(await failure(get(open({}), `https://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'tls',
      reason: 'handshake',
    });
  });

  it('tells a server that is not HTTP, and one that hangs up', async () => {
    const chatty = await startTcp((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect((await failure(get(open({}), `http://127.0.0.1:${chatty}/`))).kind).toBe('protocol');
    const mute = await startTcp((socket) => socket.destroy());
    expect(await failure(get(open({}), `http://127.0.0.1:${mute}/`))).toMatchObject({
      kind: 'unreachable',
      reason: 'connection_lost',
    });
  });

  it('keeps URLs and header values out of every error', async () => {
    const egress = open({});
    const error = await failure(
      egress.request('http://127.0.0.1:1/path-part?key=query-part', {
        method: 'GET',
        headers: [['authorization', 'Bearer secret\nvalue']],
        maxBytes: 1,
        signal: AbortSignal.timeout(30_000),
        sender: senderOf({ token: 'secret' }),
      }),
    );
    expect(
      `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`,
    ).not.toMatch(/secret|query-part|path-part|Bearer/);
    const refused = await failure(get(egress, `http://127.0.0.1:${await freePort()}/path-part`));
    expect(refused.reason).toBe('refused');
    expect(`${refused.message} ${String(refused.cause)}`).not.toMatch(/127\.0\.0\.1|path-part/);
  });
});

interface GetOptions {
  readonly token?: string;
  readonly admit?: AdmitAddresses;
}

async function get(egress: Egress, url: string, { token, admit }: GetOptions = {}) {
  return await egress.request(url, {
    method: 'GET',
    maxBytes: 1024,
    signal: AbortSignal.timeout(30_000),
    sender: senderOf(token === undefined ? {} : { token }),
    ...(admit === undefined ? {} : { admit }),
  });
}

async function failure(call: Promise<unknown>): Promise<EgressError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof EgressError) return error;
  throw new Error('Not an EgressError.', { cause: error });
}

/** A resolver with one answer per question; the last one is repeated. */
function answering(asked: string[], ...answers: string[][]): NonNullable<EgressOptions['resolve']> {
  return async (hostname) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}

async function startHttp(): Promise<{ port: number; hits: string[]; server: Server }> {
  const hits: string[] = [];
  const server = createHttpServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('ok');
  });
  return { port: await listen(server), hits, server };
}

async function startHttps(): Promise<number> {
  const read = (name: string) =>
    readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url));
  return await listen(
    createHttpsServer({ key: read('key'), cert: read('cert') }, (_, response) => response.end()),
    'localhost',
  );
}

async function startTcp(
  onConnection: (socket: import('node:net').Socket) => void,
): Promise<number> {
  return await listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined).resume();
      onConnection(socket);
    }),
  );
}

async function listen(server: TcpServer, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closeLater(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
