import { expect, it } from 'vitest';
import { borrowPglite } from '../../support/used-databases.ts';

const ADD = `INSERT INTO "Organization" ("id", "name", "createdAt") VALUES (gen_random_uuid(), 'Earlier', now())`;
const STARTED = 'SELECT pg_postmaster_start_time()::text AS "at"';

async function startOf(database: Awaited<ReturnType<typeof borrowPglite>>): Promise<unknown> {
  return (await database.query<{ at: string }>(STARTED)).rows[0]?.at;
}

it('a database is lent again without rows, settings and statements of the caller before', async () => {
  const first = await borrowPglite();
  await first.exec(`${ADD}; SET work_mem = '1MB'; PREPARE "earlier" AS SELECT 1`);
  const started = await startOf(first);
  await first.close();

  const next = await borrowPglite();
  expect(await startOf(next)).toBe(started);
  expect((await next.query('SELECT 1 FROM "Organization"')).rows).toEqual([]);
  expect((await next.query('SELECT 1 FROM "_prisma_migrations"')).rows).not.toEqual([]);
  expect((await next.query('SHOW work_mem')).rows).not.toEqual([{ work_mem: '1MB' }]);
  await next.exec('PREPARE "earlier" AS SELECT 2');
  await next.close();
});

it('a caller that has closed its database fails, and closes it once', async () => {
  const first = await borrowPglite();
  await first.close();
  expect(() => first.query('SELECT 1')).toThrow('PGlite is closed');

  const next = await borrowPglite();
  await next.exec(ADD);
  await first.close();
  expect((await next.query('SELECT 1 FROM "Organization"')).rows).toHaveLength(1);
  await next.close();
});

it.each([
  'ALTER TABLE "Organization" ADD COLUMN "other" int',
  'ALTER TABLE "Organization" ADD CONSTRAINT "other" CHECK (false) NOT VALID',
  'DROP INDEX "User_organizationId_email_key"; CREATE FUNCTION other() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
])('a database is not lent again after %s', async (statement) => {
  const first = await borrowPglite();
  const started = await startOf(first);
  await first.exec(statement);
  await first.close();

  const next = await borrowPglite();
  expect(await startOf(next)).not.toBe(started);
  await next.close();
});
