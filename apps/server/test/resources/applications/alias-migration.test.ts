import { aliasFor } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { applyMigrations } from '../../../src/platform/database/migrate.ts';
import { migrationsDirectory } from '../../../src/platform/database/package-files.ts';
import { openEmptyPglite, testDatabaseKind } from '../../support/database.ts';
import { migrationsBefore } from '../../support/migrations-before.ts';

const ALIASES = /^\d+_aliases$/;

/** Names that meet once they are aliases, and names of any characters that a name may have. */
const NAMES = [
  ...['Docs', 'docs', 'DOCS!', 'docs-2', 'Docs 2', 'Gatehouse', '株式会社', '∅', 'Größe', 'ﬁnance'],
  ...['İstanbul', 'K\u212aelvin'],
  ...fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
    numRuns: 60,
    seed: 1,
  }),
];

/** The migration cuts long names wherever they end, which attaching no longer does: the first alias, and the next. */
const LONG_NAMES = ['A rather long name of a server', 'A rather long name of another'];
const [LONG_ALIAS, NEXT_LONG_ALIAS] = ['a-rather-long-na', 'a-rather-long-2'];

function expectedAlias(name: string, taken: ReadonlySet<string>): string {
  if (!LONG_NAMES.includes(name)) return aliasFor(name, taken);
  return taken.has(LONG_ALIAS) ? NEXT_LONG_ALIAS : LONG_ALIAS;
}

test.runIf(testDatabaseKind === 'pglite')(
  'attachments from before aliases get those that attaching gives, in the order of attaching',
  async () => {
    const database = await openEmptyPglite();
    onTestFinished(() => database.close());
    await applyMigrations(database, await migrationsBefore(ALIASES));
    await database.exec(`
      INSERT INTO "Organization" VALUES (gen_random_uuid(), 'Test', now());
      INSERT INTO "Application" ("id", "organizationId", "ownerUserId", "name", "clientType",
        "createdAt", "updatedAt")
      SELECT gen_random_uuid(), "id", gen_random_uuid(), 'Test', 'public', now(), now()
      FROM "Organization", generate_series(1, 2)`);
    const names = [...NAMES, ...LONG_NAMES].filter((name) => !name.includes('\0'));
    for (const [index, name] of names.entries()) {
      await database.query(
        `INSERT INTO "Integration" ("id", "organizationId", "name", "url", "category", "authMode",
          "createdAt", "updatedAt")
        SELECT ('00000000-0000-7000-8000-' || lpad($1::text, 12, '0'))::uuid, "id", $2,
          'https://mcp.example.com', 'gateway_remote_mcp', 'none', now(), now()
        FROM "Organization"`,
        [String(index), name],
      );
    }
    await database.exec(`
      INSERT INTO "Attachment" ("id", "organizationId", "applicationId", "integrationId", "createdAt")
      SELECT gen_random_uuid(), i."organizationId", a."id", i."id", now()
      FROM "Application" a, "Integration" i`);
    await applyMigrations(database, migrationsDirectory());
    const { rows } = await database.query<
      Readonly<Record<'application' | 'name' | 'alias', string>>
    >(
      `SELECT a."applicationId" AS "application", i."name", a."alias"
      FROM "Attachment" a JOIN "Integration" i ON i."id" = a."integrationId" ORDER BY a."id"`,
    );
    expect(rows).toHaveLength(2 * names.length);
    const taken = new Map<string, Set<string>>();
    for (const { application, name, alias } of rows) {
      const ofApplication = taken.get(application) ?? new Set();
      expect([name, alias]).toEqual([name, expectedAlias(name, ofApplication)]);
      taken.set(application, ofApplication.add(alias));
    }
  },
);
