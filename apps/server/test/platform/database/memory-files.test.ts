import { expect, it } from 'vitest';
import { openPreparedPglite } from '../../support/database.ts';

it('a database in memory has nothing of those that began with the same files', async () => {
  const first = await openPreparedPglite();
  await first.exec('CREATE TABLE "Earlier" ("id" int); CHECKPOINT');
  await first.close();

  const next = await openPreparedPglite();
  const tables = await next.query(`SELECT relname FROM pg_class WHERE relname = 'Earlier'`);
  expect(tables.rows).toEqual([]);
  await next.close();
});
