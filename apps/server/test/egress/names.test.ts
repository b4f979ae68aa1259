import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createResolveName, type NameOptions } from '../../src/egress/names/resolve-name.ts';
import { type AnswerQuestion, type NameServer, startNameServer } from './name-server.ts';
import { closeLater, openEgress, senderOf } from './support.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'));
  closeLater(() => rm(folder, { recursive: true }));
});

describe('a silent name server', () => {
  it('for ten names of one organization holds up no look-up of another', async () => {
    const { names } = await startNames(({ name }) =>
      name.startsWith('silent') ? undefined : { addresses: ['192.0.2.1'] },
    );
    const resolve = createResolveName({ ...names, deadline: 2_000 });
    const silent = Array.from({ length: 10 }, (_, index) =>
      resolve(`silent-${index}.example`, 'one').catch((error: unknown) => error),
    );
    const before = performance.now();
    await resolve('upstream.example', 'other');
    // The threads that node:dns' own look-ups need are free as well.
    await lookup('localhost');
    expect(performance.now() - before).toBeLessThan(1_000);
    for (const error of await Promise.all(silent)) {
      expect(error).toMatchObject({ kind: 'timeout', reason: 'name_server_silent' });
    }
  });

  it('makes a look-up fail at its deadline, and for a moment the next one at once', async () => {
    const { names, questions } = await startNames(() => undefined);
    const resolve = createResolveName({ ...names, deadline: 300 });
    const started = performance.now();
    await expect(resolve('upstream.example', 'one')).rejects.toMatchObject({ kind: 'timeout' });
    expect(performance.now() - started).toBeLessThan(2_000);
    const asked = questions.length;
    await expect(resolve('upstream.example', 'other')).rejects.toMatchObject({ kind: 'timeout' });
    expect(questions.length).toBe(asked);
  });

  it('for one family only does not keep the other from being used', async () => {
    const { names } = await startNames(({ family }) =>
      family === 6 ? undefined : { addresses: ['192.0.2.1'] },
    );
    const started = performance.now();
    expect(await addressesOf(createResolveName(names), 'upstream.example')).toEqual(['192.0.2.1']);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('holds up at most 64 look-ups of one organization', async () => {
    const { names, questions } = await startNames(() => undefined);
    const resolve = createResolveName({ ...names, deadline: 500 });
    const errors = await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        resolve(`name-${index}.example`, 'one').catch((error: unknown) => error),
      ),
    );
    const reasons = errors.map(
      (error) => error instanceof Error && 'reason' in error && error.reason,
    );
    expect(reasons.filter((reason) => reason === 'too_many_lookups').length).toBe(6);
    expect(new Set(questions.map(({ name }) => name)).size).toBe(64);
    // The places are free again.
    await expect(resolve('later.example', 'one')).rejects.toMatchObject({ kind: 'timeout' });
  });
});

describe('a name', () => {
  it('is looked up once for requests at the same time, and kept as long as its server says', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    closeLater(async () => vi.useRealTimers());
    const { names, questions } = await startNames(() => ({ addresses: ['192.0.2.1'], ttl: 30 }));
    const resolve = createResolveName(names);
    await Promise.all([1, 2, 3].map(() => resolve('upstream.example', 'one')));
    await resolve('UPSTREAM.example', 'other');
    expect(questions.length).toBe(2);
    vi.setSystemTime(Date.now() + 31_000);
    await resolve('upstream.example', 'one');
    expect(questions.length).toBe(4);
  });

  it('with a TTL of 0 is not kept', async () => {
    const { names, questions } = await startNames(() => ({ addresses: ['192.0.2.1'], ttl: 0 }));
    const resolve = createResolveName(names);
    await resolve('upstream.example', 'one');
    await resolve('upstream.example', 'one');
    expect(questions.length).toBe(4);
  });

  it('that does not exist is distinguished from a server that fails', async () => {
    const { names, questions } = await startNames(({ name }) =>
      name.startsWith('broken') ? { code: 2 } : {},
    );
    const resolve = createResolveName(names);
    const unknown = { kind: 'unreachable', reason: 'name_not_found' };
    await expect(resolve('unknown.example', 'one')).rejects.toMatchObject(unknown);
    const asked = questions.length;
    await expect(resolve('unknown.example', 'one')).rejects.toMatchObject(unknown);
    expect(questions.length).toBe(asked);
    const failed = { kind: 'unreachable', reason: 'name_server_failed' };
    await expect(resolve('broken.example', 'one')).rejects.toMatchObject(failed);
  });

  it('with an answer too large for a datagram is asked for again over TCP', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `192.0.2.${index}`);
    const { names } = await startNames(() => ({ addresses: many, isTruncated: true }));
    const found = await addressesOf(createResolveName(names), 'upstream.example');
    expect(found.sort()).toEqual(many.sort());
  });

  it('has the addresses of both families, IPv4 first', async () => {
    const { names } = await startNames(({ family }) => ({
      addresses: ['2001:db8::1', '192.0.2.1'],
      after: family === 4 ? 20 : 0,
    }));
    expect(await addressesOf(createResolveName(names), 'upstream.example')).toEqual([
      '192.0.2.1',
      '2001:db8::1',
    ]);
  });

  it('of this machine needs no name server', async () => {
    const { names, questions } = await startNames(() => ({ addresses: ['192.0.2.1'] }));
    const resolve = createResolveName(names);
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
      expect(await addressesOf(resolve, name)).toEqual(['127.0.0.1', '::1']);
    }
    expect(questions).toEqual([]);
  });

  it('in the hosts file has the addresses that are written there, also those written later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    closeLater(async () => vi.useRealTimers());
    const { names, questions } = await startNames(() => ({}));
    await writeFile(
      names.hostsFile,
      '# comment\n127.0.0.1\tlocalhost\r\n10.1.2.3 mcp.internal mcp # ours\n::1 mcp\nfe80::1%lo0 localhost\n',
    );
    const resolve = createResolveName(names);
    expect(await addressesOf(resolve, 'localhost')).toEqual(['127.0.0.1', 'fe80::1%lo0']);
    expect(await addressesOf(resolve, 'MCP.')).toEqual(['10.1.2.3', '::1']);
    await writeFile(names.hostsFile, '10.9.9.9 mcp\n');
    vi.setSystemTime(Date.now() + 6_000);
    expect(await addressesOf(resolve, 'mcp')).toEqual(['10.9.9.9']);
    expect(questions).toEqual([]);
  });
});

describe('a search list', () => {
  const CLUSTER =
    'search team.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n';

  it.each([
    ['mcp', ['mcp.team.svc.cluster.local']],
    ['mcp.other', ['mcp.other.team.svc.cluster.local', 'mcp.other.svc.cluster.local']],
    [
      'mcp.example.com',
      [
        'mcp.example.com.team.svc.cluster.local',
        'mcp.example.com.svc.cluster.local',
        'mcp.example.com.cluster.local',
        'mcp.example.com',
      ],
    ],
    ['mcp.example.com.', ['mcp.example.com']],
  ])('of Kubernetes completes %s', async (name, expected) => {
    const existing = [
      'mcp.team.svc.cluster.local',
      'mcp.other.svc.cluster.local',
      'mcp.example.com',
    ];
    const { names, questions } = await startNames((question) =>
      existing.includes(question.name) ? { addresses: ['192.0.2.1'] } : {},
    );
    await writeFile(names.resolvConf, CLUSTER);
    expect(await addressesOf(createResolveName(names), name)).toEqual(['192.0.2.1']);
    const asked = questions.filter(({ family }) => family === 4).map((question) => question.name);
    expect(asked).toEqual(expected);
  });

  it('leaves a name with a dot as it is first, unless ndots says otherwise', async () => {
    const { names, questions } = await startNames(() => ({ addresses: ['192.0.2.1'] }));
    await writeFile(names.resolvConf, 'domain corp.example\n');
    const resolve = createResolveName(names);
    await resolve('mcp.example', 'one');
    await resolve('mcp', 'one');
    const asked = questions.filter(({ family }) => family === 4).map(({ name }) => name);
    expect(asked).toEqual(['mcp.example', 'mcp.corp.example']);
  });
});

describe('dialling by the name server', () => {
  it('denies the second answer of a name that turns to another address', async () => {
    const upstream = await startHttp();
    let asked = 0;
    const { names } = await startNames(({ family }) => {
      if (family === 6) return { isEmpty: true };
      asked += 1;
      return { addresses: [asked === 1 ? '127.0.0.1' : '10.0.0.1'], ttl: 0 };
    });
    const get = () =>
      openEgress({ names }).request(`http://upstream.example:${upstream.port}/`, {
        method: 'GET',
        maxBytes: 100,
        signal: AbortSignal.timeout(30_000),
        sender: senderOf(),
      });
    expect((await get()).status).toBe(200);
    await expect(get()).rejects.toMatchObject({ kind: 'denied', reason: 'address_not_allowed' });
  });

  it('tries the next address when one does not answer', async () => {
    const upstream = await startHttp();
    const { names } = await startNames(({ family }) => ({
      addresses: family === 4 ? ['127.0.0.9', '127.0.0.1'] : ['::1'],
    }));
    const { status } = await openEgress({ names }).request(
      `http://upstream.example:${upstream.port}/`,
      { method: 'GET', maxBytes: 100, signal: AbortSignal.timeout(30_000), sender: senderOf() },
    );
    expect(status).toBe(200);
  });
});

/** A name server, and a hosts file and a resolv.conf that do not exist yet. */
async function startNames(
  answer: AnswerQuestion,
): Promise<Pick<NameServer, 'questions'> & { names: Required<Omit<NameOptions, 'deadline'>> }> {
  const { address, questions } = await startNameServer(answer);
  const names = {
    servers: [address],
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
  };
  return { questions, names };
}

async function addressesOf(resolve: ReturnType<typeof createResolveName>, name: string) {
  return (await resolve(name, 'one')).map(({ address }) => address);
}

async function startHttp(): Promise<{ port: number }> {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port };
}
