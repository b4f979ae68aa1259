import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type GatehouseOptions, LaunchError, type LaunchedGatehouse } from '@gatehouse/harness';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { afterFile } from '../support/after-file.ts';
import { type Api, createApi } from './support/api.ts';
import { LedgerWriter } from './support/ledger-writer.ts';
import { runCommandHere } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, storeKinds } from './support/stores.ts';

/** The long run sets GATEHOUSE_CRASH_ROUNDS to 100. */
const ROUNDS = Number(process.env.GATEHOUSE_CRASH_ROUNDS ?? 3);
const WRITERS = 6;
const KEYS = { GATEHOUSE_ENCRYPTION_KEYS: `crash:${randomBytes(32).toString('base64')}` };
const MOST_WRITES_IN_A_ROUND = 40;
const MILLISECONDS_FOR_A_ROUND = 120_000;

describe.each(storeKinds)('a server on %s that is killed during writes', (kind) => {
  let options: Options;
  let server: LaunchedGatehouse;

  beforeAll(async () => {
    options = await freshStore(kind);
  });

  test('at any moment of its first start starts the next time', async () => {
    for (const milliseconds of [300, 600, 1200]) {
      const start = startServer({ ...options, timeout: milliseconds });
      await start.then(
        (early) => early.kill9(),
        (error: unknown) => expect(error).toBeInstanceOf(LaunchError),
      );
    }
    server = await startServer(options);
    const { body } = await createApi(server).expect(200, 'GET', '/me');
    expect(body.user.role).toBe('owner');
  }, 240_000);

  test(
    `loses no acknowledged write and leaves nothing half done, ${ROUNDS} times`,
    async () => {
      const writers = Array.from({ length: WRITERS }, (_, index) => new LedgerWriter(`w${index}`));
      const bootstrapToken = server.bootstrapToken;
      for (const writer of writers) await writer.begin(createApi(server));

      for (let round = 0; round < ROUNDS; round += 1) {
        await writeAndKill(createApi(server), writers, () => server.kill9());
        server = await startServer(options);
        const api = createApi({ baseUrl: server.baseUrl, bootstrapToken });
        for (const writer of writers) {
          const { held, ledger } = await writer.recover(api);
          expect(held).toEqual(ledger);
        }
      }

      expect((await server.stop()).code).toBe(0);
      const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
      expect(acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
      expect(await readStored(options, writers)).toEqual({
        answers: acknowledged,
        secrets: writers.map(({ clientSecret }) => sha256(clientSecret ?? '')),
      });
      await verifyAudit(options, acknowledged + 2 * WRITERS);
    },
    60_000 + ROUNDS * MILLISECONDS_FOR_A_ROUND,
  );
});

/** The audit has each acknowledged write once, and is whole. */
async function verifyAudit(options: Options, writes: number): Promise<void> {
  const { dataDir, databaseUrl } = options;
  const env = {
    GATEHOUSE_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, ...KEYS }),
  };
  const { code, json } = await runCommandHere(['audit', 'verify', '--json'], env);
  expect([code, json.findings]).toEqual([0, []]);
  // A run that was killed before its first block has left its events to the next one.
  expect(json.runs.map(({ end }: { end: string }) => end)).toContain('ended');
  const store = await openDatabase(options);
  const written = await store.db.auditEvent.findMany({ where: { actorId: { not: null } } });
  await store.close();
  expect(written).toHaveLength(writes);
}

/** Lets the writers write, kills the server at a random moment, and waits for their connections to break. */
async function writeAndKill(
  api: Api,
  writers: readonly LedgerWriter[],
  kill: () => Promise<unknown>,
): Promise<void> {
  let left = WRITERS + 1 + Math.floor(Math.random() * MOST_WRITES_IN_A_ROUND);
  let killed: Promise<unknown> | undefined;
  const killSoon = async () => {
    await delay(Math.random() * 10);
    await kill();
  };
  const onAcknowledged = () => {
    left -= 1;
    if (left <= 0) killed ??= killSoon();
  };
  await Promise.all(writers.map((writer) => writer.writeUntilCrash(api, onAcknowledged)));
  await killed;
}

type Options = GatehouseOptions & { readonly dataDir: string; readonly bootstrapToken: string };

async function freshStore(kind: (typeof storeKinds)[number]): Promise<Options> {
  const bootstrapToken = 'owner-token-of-the-crash-suite-000000000';
  const dataDir = temporaryDirectory();
  if (kind === 'pglite') return { dataDir, bootstrapToken };
  const database = await createEmptyPostgresql();
  afterFile(() => database.drop());
  return { dataDir, bootstrapToken, databaseUrl: database.config.databaseUrl, env: KEYS };
}

/** Reads past the API: one stored answer for each acknowledged write, and the secrets as they count. */
async function readStored(
  options: { readonly dataDir: string; readonly databaseUrl?: string },
  writers: readonly LedgerWriter[],
): Promise<unknown> {
  const store = await openDatabase(options);
  try {
    const secrets = [];
    for (const { applicationId } of writers) {
      const { secretHash } = await store.db.application.findUniqueOrThrow({
        where: { id: applicationId },
      });
      secrets.push(Buffer.from(secretHash ?? []).toString('hex'));
    }
    return { answers: await store.db.idempotencyKey.count(), secrets };
  } finally {
    await store.close();
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
