import { expect, onTestFinished, test } from 'vitest';
import { applyMigrations } from '../../src/platform/database/migrate.ts';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';
import { openEmptyPglite, testDatabaseKind } from '../support/database.ts';
import { migrationsBefore } from '../support/migrations-before.ts';

const RETENTION = /^\d+_retention$/;

test.runIf(testDatabaseKind === 'pglite')(
  'the migration removes the sealed id of sessions that have ended, and keeps that of open ones',
  async () => {
    const database = await openEmptyPglite();
    onTestFinished(() => database.close());
    await applyMigrations(database, await migrationsBefore(RETENTION));
    await database.exec(`
      INSERT INTO "Organization" VALUES (gen_random_uuid(), 'Test', now());
      INSERT INTO "Application" ("id", "organizationId", "ownerUserId", "name", "clientType",
        "createdAt", "updatedAt")
      SELECT gen_random_uuid(), "id", gen_random_uuid(), 'Test', 'public', now(), now()
      FROM "Organization";
      INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId",
        "attachmentId", "userId", "tokenId", "era", "state", "sealed", "keyId", "createdAt",
        "lastActivityAt")
      SELECT gen_random_uuid(), "organizationId", "id", gen_random_uuid(), gen_random_uuid(),
        gen_random_uuid(), gen_random_uuid(), 'legacy', state, 'sealed', 'first', now(), now()
      FROM "Application", unnest(enum_range(NULL::"SessionState")) state`);
    expect(await applyMigrations(database, migrationsDirectory())).toContainEqual(
      expect.stringMatching(RETENTION),
    );
    const { rows } = await database.query(
      'SELECT "state", "sealed" IS NULL AS erased, "keyId" FROM "Session" ORDER BY "state"',
    );
    expect(rows).toEqual([
      { state: 'open', erased: false, keyId: 'first' },
      { state: 'closed', erased: true, keyId: null },
      { state: 'expired', erased: true, keyId: null },
      { state: 'revoked', erased: true, keyId: null },
    ]);
  },
);
