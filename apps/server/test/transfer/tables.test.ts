import { expect, it } from 'vitest';
import { z } from 'zod';
import { LEFT_OUT, TABLES } from '../../src/transfer/tables.ts';
import { use } from '../support/use.ts';
import { openEmbeddedDatabase } from './support/databases.ts';

const database = use(openEmbeddedDatabase);

async function namesOf(sql: string): Promise<string[]> {
  const rows = await database.query(sql);
  return z
    .array(z.object({ name: z.string() }))
    .parse(rows)
    .map(({ name }) => name);
}

const OWN = `relnamespace = 'public'::regnamespace`;

it('a transfer includes every table, or the list says why not', async () => {
  const found = await namesOf(
    `SELECT relname::text AS "name" FROM pg_class WHERE relkind IN ('r', 'p') AND ${OWN}`,
  );
  expect([...TABLES, ...Object.keys(LEFT_OUT)].sort()).toEqual(found.sort());
});

it('a transfer includes a table after those that its foreign keys point to', async () => {
  const late = await database.query(
    `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint WHERE contype = 'f'`,
  );
  const keys = z.array(z.object({ from: z.string(), to: z.string() })).parse(late);
  const place = (name: string) => TABLES.indexOf(name.replaceAll('"', ''));
  const taken = keys.filter(({ from }) => place(from) >= 0);
  expect(taken.length).toBeGreaterThan(20);
  expect(taken.filter(({ from, to }) => place(to) < 0 || place(to) >= place(from))).toEqual([]);
});

it('a transfer needs to include nothing but rows', async () => {
  const others = await namesOf(
    `SELECT relname::text AS "name" FROM pg_class WHERE relkind NOT IN ('r', 'i') AND ${OWN}
     UNION SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal
     UNION SELECT attname::text FROM pg_attribute JOIN pg_class t ON t.oid = attrelid
       WHERE ${OWN} AND (attidentity <> '' OR attgenerated <> '')`,
  );
  expect(others).toEqual([]);
});
