import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OutageLog } from '../../../src/platform/database/outage-log.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { createKeyring } from '../../../src/vault/keyring.ts';
import { announceKeys, type NodeKeys } from '../../../src/vault/node-keys.ts';
import { type Cluster, canStartCluster, startCluster } from '../../support/cluster.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { openPostgresqlStore, type TestStore } from '../../support/store.ts';

const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';

/** Milliseconds: longer than any statement waits. */
const OUTAGE = 13_000;

interface Line {
  readonly msg: string;
}

describe.runIf(canStartCluster)('the log of an outage', () => {
  const lines: Line[] = [];
  const outages = new OutageLog();
  const log = createLogger(
    'info',
    { write: (line) => void lines.push(JSON.parse(line)) },
    (error) => outages.covers(error),
  );
  let cluster: Cluster;
  let server: TestServer;
  let store: TestStore;
  let nodeKeys: NodeKeys;

  beforeAll(async () => {
    cluster = await startCluster();
    await administer('CREATE ROLE gatehouse LOGIN SUPERUSER');
    const databaseUrl = cluster.url.replace('postgres@', 'gatehouse@');
    const open = async () => {
      const config = { databaseUrl, dataDir: '' };
      store = await openPostgresqlStore({ config, drop: () => Promise.resolve() });
      return store;
    };
    server = await startTestServer({}, open, log);
    outages.watch(store, log);
    nodeKeys = await announceKeys({
      ...{ store, keyring: createKeyring([{ id: 'k', key: Buffer.alloc(32) }]), version: '0' },
      onError: (error) => log.warn({ err: error }, 'the keys of this node were not announced'),
      onConflict: () => undefined,
    });
  });
  afterAll(async () => {
    outages.close();
    await nodeKeys?.close();
    await server?.close();
    cluster?.close();
  });

  async function administer(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.url });
    client.on('error', () => {});
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  /** Calls, which are counted and written later, and reports of the node. */
  async function work(until: () => boolean): Promise<void> {
    while (!until()) {
      await Promise.allSettled([
        Promise.race([server.call('GET', '/me'), delay(1_000)]),
        Promise.race([nodeKeys.tell(), delay(1_000)]),
      ]);
      nodeKeys.tell().catch((error: unknown) => log.warn({ err: error }, 'not told'));
      await delay(100);
    }
  }

  it.each([
    [
      'stopped',
      () => cluster.stop('fast'),
      () => cluster.start(),
      /^(?:the connection is refused|the connection was lost|it is starting or stopping)$/,
    ],
    ['hung', () => cluster.hang(), () => cluster.goOn(), /^there is no response in time$/],
    [
      'refusing the role',
      () => administer('ALTER ROLE gatehouse NOLOGIN', END_OTHERS),
      () => administer('ALTER ROLE gatehouse LOGIN'),
      /^(?:it does not let the user in|the connection was lost|it is starting or stopping)$/,
    ],
  ])('is two lines with the cause in words: %s', async (_, begin, end, reason) => {
    lines.length = 0;
    let isOver = false;
    const working = work(() => isOver);
    await begin();
    await delay(OUTAGE);
    await end();
    await vi.waitFor(
      async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200),
      { timeout: 60_000 },
    );
    await vi.waitFor(() => expect(of('the database is back')).toHaveLength(1), {
      timeout: 30_000,
    });
    isOver = true;
    await working;
    const others = lines.filter(({ msg }) => msg !== 'request' && msg !== 'audit head');
    expect(others).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'the database is away',
        reason: expect.stringMatching(reason),
      }),
      expect.objectContaining({
        level: 'info',
        msg: 'the database is back',
        ms: expect.any(Number),
        leftOut: expect.any(Number),
      }),
    ]);
  });

  const of = (message: string) => lines.filter(({ msg }) => msg === message);
});
