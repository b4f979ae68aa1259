import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditEvent, auditEventSchema } from '@gatehouse/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { insertToken } from '../../src/identity/tokens.ts';
import { createPgliteStore } from '../../src/platform/database/create-store.ts';
import { applyMigrations, migrationNames } from '../../src/platform/database/migrate.ts';
import { migratePostgresql } from '../../src/platform/database/migrate-postgresql.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';
import {
  openRawPostgresql,
  type RawDatabase,
  rawPglite,
} from '../../src/platform/database/raw-database.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';
import { type Exported, exportDatabase } from '../../src/transfer/export-database.ts';
import { importPostgresql } from '../../src/transfer/import-postgresql.ts';
import { openEmbedded } from '../../src/transfer/open-source.ts';
import { restoreDirectory } from '../../src/transfer/restore-directory.ts';
import { hasPostgresql } from '../process/support/stores.ts';
import { createPostgresqlDatabase, openEmptyPglite } from '../support/database.ts';
import { openEmbeddedDatabase, SEAL, temporaryDirectory } from './support/databases.ts';
import { contentsOf, fillTables, SMALL_ROWS } from './support/fill-tables.ts';

vi.setConfig({ testTimeout: 120_000 });

const directory = temporaryDirectory();
const KEY_FILE = `local-1234abcd:${Buffer.alloc(32, 7).toString('base64')}\n`;
let files = 0;

function exported(database: RawDatabase, keyFile: string | null = KEY_FILE): Promise<Exported> {
  files += 1;
  const path = join(directory, `file-${files}`);
  return exportDatabase(database, { ...SEAL, path, version: '1.2.3', keyFile });
}

/** A page of the rows that are read is this long. */
const PAGE = 500;

/** More than one page, and more than two pieces of the sealed file: the first are read before it shows that the last is missing. */
const MANY = 3 * PAGE + 200;
const MANY_ROWS = `INSERT INTO "OauthState"
  SELECT 'state-' || n, to_jsonb((SELECT string_agg(md5(random()::text || n || m), '') FROM generate_series(1, 6) m)), now(), now()
  FROM generate_series(1, ${MANY}) n`;

interface Filled {
  readonly path: string;
  readonly contents: Record<string, string[]>;
}

let source: RawDatabase;
/** With values of every type in every table. */
let small: Filled;
/** With {@link MANY_ROWS} besides. */
let large: Filled;

beforeAll(async () => {
  source = await openEmbeddedDatabase();
  await fillTables(source);
  small = await exportFilled();
  await source.query(MANY_ROWS);
  large = await exportFilled();
  return () => source.close();
});

async function exportFilled(): Promise<Filled> {
  const { path } = await exported(source);
  return { path, contents: await contentsOf(source) };
}

/** A file without its last byte. */
function cutOff(path: string): string {
  const bytes = readFileSync(path);
  expect(bytes.length).toBeGreaterThan(2 * 65_536);
  writeFileSync(`${path}-cut`, bytes.subarray(0, -1));
  return `${path}-cut`;
}

async function withDatabase<T>(
  open: Promise<RawDatabase>,
  work: (database: RawDatabase) => Promise<T>,
): Promise<T> {
  const database = await open;
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const { passphrase } = SEAL;
const byRestore = { passphrase, command: 'restore' };
const byImport = { passphrase, command: 'import' };

describe('a data directory that is restored', () => {
  const dataDir = join(directory, 'restored');

  it('has every row of a table that is read in pages', async () => {
    const steps: { readonly rows: number; readonly ofRows: number }[] = [];
    const restored = await restoreDirectory({
      ...{ dataDir, path: large.path, ...byRestore },
      onProgress: (step) => steps.push(step),
    });
    expect(restored).toMatchObject({
      rows: SMALL_ROWS + MANY,
      writtenBy: '1.2.3',
      keysInside: ['local-1234abcd'],
    });
    const counts = steps.map(({ rows }, index) => rows - (steps[index - 1]?.rows ?? 0));
    expect(counts.filter((count) => count > 3)).toEqual([PAGE, PAGE, PAGE, 203]);
    expect(steps.at(-1)).toEqual({ rows: restored.rows, ofRows: restored.rows });
  });

  it('has the rows of every table as they were, and the keys', async () => {
    expect(await withDatabase(openEmbedded(dataDir), takenInto)).toEqual(large.contents);
    expect(readFileSync(join(dataDir, 'encryption-key'), 'utf8')).toBe(KEY_FILE);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).sort()).toEqual(['database', 'encryption-key', 'lock']);
  });

  it('has an event in each organization, with the command, the file and the rows', async () => {
    const events = await withDatabase(openEmbedded(dataDir), importsIn);
    const organizations = small.contents.Organization?.length;
    expect(events).toHaveLength(organizations ?? 0);
    const [first] = events;
    expect(first).toMatchObject({
      kind: 'management',
      action: 'installation.imported',
      actor: { kind: 'operator', via: { kind: 'command', id: 'restore' } },
      target: { kind: 'installation', id: expect.any(String), name: expect.any(String) },
      details: {
        ...{ formatVersion: 1, writtenBy: '1.2.3', rows: SMALL_ROWS + MANY },
        writtenAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(new Set(events.map(({ target }) => target.id)).size).toBe(organizations);
  });

  it('is left alone when it has a database, or other keys', async () => {
    const { path } = small;
    await expect(restoreDirectory({ dataDir, path, ...byRestore })).rejects.toMatchObject({
      code: 'not_empty',
    });
    const other = temporaryDirectory();
    writeFileSync(join(other, 'encryption-key'), KEY_FILE.replace('1234', '9999'));
    await expect(restoreDirectory({ dataDir: other, path, ...byRestore })).rejects.toMatchObject({
      code: 'keys_differ',
    });
    expect(existsSync(join(other, 'database'))).toBe(false);
  });

  it('has nothing when the file was cut off at its end', async () => {
    const empty = join(directory, 'of-cut');
    const path = cutOff(large.path);
    await expect(restoreDirectory({ dataDir: empty, path, ...byRestore })).rejects.toMatchObject({
      code: 'damaged',
    });
    expect(existsSync(empty) ? readdirSync(empty) : []).toEqual(
      expect.not.arrayContaining(['database', 'encryption-key']),
    );
  });

  it('has the tables of an older version until a server opens it, and the rows afterwards', async () => {
    const old = join(directory, 'old');
    const { path } = await exportOlder();
    await restoreDirectory({ dataDir: old, path, ...byRestore });
    const migrations = () =>
      withDatabase(openEmbedded(old), (database) =>
        database.query('SELECT "migration_name" FROM "_prisma_migrations" ORDER BY 1'),
      );
    const named = (known: readonly string[]) => known.map((name) => ({ migration_name: name }));
    expect(await migrations()).toEqual(named(NAMES.slice(0, -HELD_BACK)));

    const store = await openDatabase({ dataDir: old });
    const [owner] = await store.db.user.findMany({ include: { tokens: true } });
    await store.close();
    expect(owner).toMatchObject({ email: 'owner@localhost', role: 'owner' });
    expect(owner?.tokens).toHaveLength(1);
    expect(await migrations()).toEqual(named(NAMES));
  });
});

/** What was taken from a file: everything but the events that tell of it. */
async function takenInto(database: RawDatabase): Promise<Record<string, string[]>> {
  const { AuditEvent = [], ...others } = await contentsOf(database);
  const isOther = (row: string) => !row.includes(',installation.imported,');
  return { ...others, AuditEvent: AuditEvent.filter(isOther) };
}

async function importsIn(database: RawDatabase): Promise<AuditEvent[]> {
  const rows = await database.query(
    `SELECT "event" FROM "AuditEvent" WHERE "action" = 'installation.imported' ORDER BY "id"`,
  );
  return z
    .array(z.object({ event: z.string() }))
    .parse(rows)
    .map(({ event }) => auditEventSchema.parse(JSON.parse(event)));
}

const NAMES = migrationNames(migrationsDirectory());
/** Of the newest migrations, that the older version did not have. */
const HELD_BACK = 3;

/** Without the events of today's service, which the older tables do not have. */
async function insertOwner({ db }: Store): Promise<void> {
  const organization = { ...createId(), name: 'Default organization' };
  const { id: organizationId } = await db.organization.create({ data: organization });
  const person = { email: 'owner@localhost', name: 'Owner', role: 'owner' } as const;
  const { id: userId } = await db.user.create({
    data: { ...createId(), organizationId, ...person },
  });
  const token = { name: 'First', hash: randomBytes(32), scopes: [], expiresAt: null };
  await insertToken(db, { organizationId, userId, kind: 'personal', ...token });
}

/** A file of an installation, with its owner, that has not all migrations yet. */
async function exportOlder(): Promise<Exported> {
  const database = await openEmptyPglite();
  await applyMigrations(database, migrationsDirectory(), NAMES.at(-1 - HELD_BACK));
  const store = createPgliteStore(database);
  await insertOwner(store);
  const file = await exported(await rawPglite(database));
  await store.close();
  return file;
}

describe('what is exported', () => {
  it('says which keys are in the file, and which the rows need besides', async () => {
    await source.query(`UPDATE "Connection" SET "keyId" = 'local-1234abcd'`);
    const found = [await exported(source), await exported(source, null)];
    const needed = [...new Set(found[1]?.keysElsewhere)];
    expect(found[1]?.keysInside).toEqual([]);
    expect(needed).toContain('local-1234abcd');
    expect(found[0]).toMatchObject({
      keysInside: ['local-1234abcd'],
      keysElsewhere: needed.filter((id) => id !== 'local-1234abcd'),
    });
  });

  it('is refused by a program that does not know the migrations of the database', async () => {
    const future = '29990101000000_future';
    const rename = (from: string, to: string) =>
      source.query(
        `UPDATE "_prisma_migrations" SET "migration_name" = $1 WHERE "migration_name" = $2`,
        [to, from],
      );
    const newest = NAMES.at(-1) ?? '';
    await rename(newest, future);
    await expect(exported(source)).rejects.toMatchObject({ code: 'newer' });
    // An export leaves its transaction to the closing of the database.
    await source.query('ROLLBACK');
    await rename(future, newest);
  });
});

describe.skipIf(!hasPostgresql)('PostgreSQL', () => {
  it('takes everything from an embedded database, and gives it back', async () => {
    const { path, contents } = small;
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const keysTo = join(directory, 'keys.env');
    try {
      const imported = await importPostgresql({
        ...{ databaseUrl, path, ...byImport, keysTo },
        loadedKeyIds: [],
      });
      expect(imported.rows).toBe(SMALL_ROWS);
      expect(readFileSync(keysTo, 'utf8')).toBe(`GATEHOUSE_ENCRYPTION_KEYS=${KEY_FILE}`);
      expect(statSync(keysTo).mode & 0o777).toBe(0o600);
      const back = await withDatabase(openRawPostgresql(databaseUrl), async (database) => {
        expect(sorted(await takenInto(database))).toEqual(sorted(contents));
        const commands = (await importsIn(database)).map(({ actor }) => actor.via.id);
        expect(new Set(commands)).toEqual(new Set(['import']));
        return exported(database, null);
      });
      const dataDir = join(directory, 'back');
      await restoreDirectory({ dataDir, path: back.path, ...byRestore });
      expect(await withDatabase(openEmbedded(dataDir), takenInto)).toEqual(contents);
      expect(readdirSync(dataDir).sort()).toEqual(['database', 'lock']);
    } finally {
      await drop();
    }
  });

  it('takes nothing while it has rows, or without a place for the keys', async () => {
    const { path } = small;
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const options = { databaseUrl, path, ...byImport };
    try {
      await expect(importPostgresql({ ...options, loadedKeyIds: [] })).rejects.toMatchObject({
        code: 'keys_nowhere',
      });
      await migratePostgresql(databaseUrl, migrationsDirectory());
      await withDatabase(openRawPostgresql(databaseUrl), async (database) => {
        await database.query(`INSERT INTO "KeyCheck" VALUES ('k', '\\x00')`);
      });
      const keysTo = join(directory, 'unused.env');
      await expect(
        importPostgresql({ ...options, keysTo, loadedKeyIds: [] }),
      ).rejects.toMatchObject({ code: 'not_empty' });
      expect(existsSync(keysTo)).toBe(false);
    } finally {
      await drop();
    }
  });

  it('is as empty as before when the file turns out to be cut off', async () => {
    const { path } = large;
    const cut = cutOff(path);
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const loadedKeyIds = ['local-1234abcd'];
    try {
      await expect(
        importPostgresql({ databaseUrl, path: cut, ...byImport, loadedKeyIds }),
      ).rejects.toMatchObject({ code: 'damaged' });
      await importPostgresql({ databaseUrl, path, ...byImport, loadedKeyIds });
    } finally {
      await drop();
    }
  });
});

/** The order of texts depends on the locale of the database. */
function sorted(contents: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => [table, [...rows].sort()]),
  );
}
