import { beforeAll, describe, expect, it } from 'vitest';
import { createPostgresqlDatabase, testDatabaseKind } from '../../support/database.ts';
import { startTestServer, useServer } from '../../support/server.ts';
import { openPostgresqlStore } from '../../support/store.ts';
import { use } from '../../support/use.ts';
import { createIntegration } from './support.ts';

const server = useServer();
let made: string[];

beforeAll(async () => {
  made = [];
  for (let i = 0; i < 5; i += 1) {
    made.unshift((await createIntegration(server, { name: `Walk ${i}` })).id);
    await createIntegration(server, { name: `Other ${i}` });
  }
  await server.call('DELETE', `/integrations/${made[1]}`);
});

async function walk(query: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await server.call('GET', `/integrations?limit=2&${query}${cursor}`);
    expect(page.status).toBe(200);
    seen.push(...page.body.items.map(({ id }: { id: string }) => id));
    const { nextCursor } = page.body;
    cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
  } while (cursor !== '');
  return seen;
}

describe.each([
  ['three letters or more', 'WALK'],
  ['two letters', 'wA'],
  ['one letter', 'W'],
])('a name filter of %s', (_, name) => {
  it('walks all pages, newest first, each integration once', async () => {
    const active = made.filter((_, index) => index !== 1);
    expect(await walk(`name=${name}`)).toStrictEqual(active);
  });

  it('includes archived ones when asked', async () => {
    expect(await walk(`name=${name}&includeArchived=true`)).toStrictEqual(made);
  });
});

it('a name filter of two letters that no integration has finds nothing', async () => {
  expect(await walk('name=zq')).toStrictEqual([]);
});

describe.runIf(testDatabaseKind === 'postgresql')('on a database with the locale C', () => {
  const other = use(() =>
    startTestServer({}, async () =>
      openPostgresqlStore(await createPostgresqlDatabase({ locale: 'C' })),
    ),
  );

  it.each(['ärger', 'ÄRGER', 'Ärger'])('a name filter of %s finds Ärger', async (name) => {
    const { id } = await createIntegration(other, { name: 'Ärger' });
    const found = await other.call('GET', `/integrations?name=${encodeURIComponent(name)}`);
    expect(found.body.items.map((item: { id: string }) => item.id)).toContain(id);
  });
});
