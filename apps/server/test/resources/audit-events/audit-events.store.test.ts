import { beforeAll, describe, expect, it } from 'vitest';
import { AuditWriter } from '../../../src/audit/writing/audit-writer.ts';
import { createId } from '../../../src/platform/ids.ts';
import { callOf } from '../../audit/call.ts';
import { key, vault } from '../../credentials/fixtures.ts';
import { useServer } from '../../support/server.ts';

const server = useServer({ encryptionKeys: [key], auditCalls: 'off' });

interface Event {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly items: readonly Event[];
  readonly nextCursor: string | null;
  readonly reachedAt: string | null;
}

async function list(query: string): Promise<Page> {
  const called = await server.call('GET', `/audit-events?${query}`);
  expect(called.status, called.text).toBe(200);
  return called.body;
}

/** All pages, and how many there were. */
async function all(query: string, limit = 100): Promise<{ events: Event[]; pages: number }> {
  const events: Event[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Page = await list(
      `${query}&limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    events.push(...page.items);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null);
  return { events, pages };
}

let organizationId: string;
const person = createId().id;

beforeAll(async () => {
  organizationId = (await server.call('GET', '/me')).body.organization.id;
  const { store } = server;
  const run = createId().id;
  const options = { store: { ...store, run }, vault, node: 'node-1', onError: () => undefined };
  const writer = new AuditWriter(options);
  for (let round = 0; round < 30; round += 1) {
    for (let call = 0; call < 7; call += 1) writer.add(organizationId, callOf({ ms: round }));
    if (round === 3) writer.add(organizationId, callOf({ userId: person, name: 'delete' }));
    writer.add(createId().id, callOf());
    if (round % 10 === 0) {
      await server.call('POST', '/groups', { body: { name: `Group ${round}` } });
    }
    await writer.flush();
  }
  await writer.close();
});

describe('the list', () => {
  it('has changes and calls in one order, each once, however long a page is', async () => {
    const { events } = await all('');
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(events.filter(({ kind }) => kind === 'call')).toHaveLength(211);
    expect(events.filter(({ action }) => action === 'group.created')).toHaveLength(3);
    const short = await all('', 9);
    const seen = short.events.map(({ id }) => id);
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
  });

  it('reads 20 blocks for a page, so that one with a rare event can be empty', async () => {
    const page = await list('tool=delete&kind=call&limit=5');
    expect(page).toMatchObject({ items: [], nextCursor: expect.any(String) });
    const { items } = await list(`kind=call&to=${page.reachedAt}`);
    expect(items.length).toBeGreaterThan(0);
    expect(await list(`kind=call&to=${items.at(-1)?.at}`)).toMatchObject({ reachedAt: null });
    const { events, pages } = await all('tool=delete&kind=call', 5);
    expect(events.map(({ details }) => details.name)).toEqual(['delete']);
    expect(pages).toBeGreaterThan(1);
  });

  it('finds several outcomes in one order', async () => {
    const page = await list('outcome=relayed,succeeded&limit=100');
    expect(new Set(page.items.map(({ kind }) => kind))).toEqual(new Set(['call', 'management']));
    expect((await list('outcome=policy,refused&kind=call')).items).toEqual([]);
  });

  it('finds the calls of a person by the index', async () => {
    const page = await list(`userId=${person}&limit=5`);
    expect(page.items.map(({ details }) => details.userId)).toEqual([person]);
  });

  it('finds what an id was in, in changes and calls', async () => {
    const { events } = await all(`integrationId=${callOf().details.integrationId}`);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['call']));
    expect(events).toHaveLength(211);
  });

  it('has events from a time to another', async () => {
    const { events } = await all('');
    const middle = events[100];
    const time = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    const at = new Date(time(middle?.id ?? '')).toISOString();
    const [older, newer] = [await all(`to=${at}`), await all(`from=${at}`)];
    expect(older.events.every(({ id }) => time(id) < Date.parse(at))).toBe(true);
    expect(newer.events.every(({ id }) => time(id) >= Date.parse(at))).toBe(true);
    const found = [...newer.events, ...older.events].map(({ id }) => id);
    expect(found).toEqual(expect.arrayContaining(events.map(({ id }) => id)));
  });
});

describe('one event', () => {
  it('is found by the id that the list has, of both kinds', async () => {
    const { events } = await all('');
    const ofEachKind = ['call', 'management'].map((kind) =>
      events.find((event) => event.kind === kind),
    );
    for (const event of ofEachKind) {
      const called = await server.call('GET', `/audit-events/${event?.id}`);
      expect(called.body).toEqual({ event });
    }
  });

  it.each(['0', 'f'])('of an id that no event has is 404 (%s)', async (digit) => {
    const { events } = await all('kind=call');
    const id = `${events[0]?.id.slice(0, -2)}${digit.repeat(2)}`;
    const isThere = events.some((event) => event.id === id);
    const called = await server.call('GET', `/audit-events/${id}`);
    expect(called.status).toBe(isThere ? 200 : 404);
    expect((await server.call('GET', `/audit-events/${createId().id}`)).status).toBe(404);
  });
});
