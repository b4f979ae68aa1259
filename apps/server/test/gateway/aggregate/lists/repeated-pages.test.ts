import { beforeEach, expect, it } from 'vitest';
import { TestApplication, type TestIntegration, toolOf } from './application.ts';

let application: TestApplication;
let integration: TestIntegration;

beforeEach(() => {
  application = new TestApplication();
  integration = application.attach('pages');
});

interface Listed {
  readonly tools: readonly object[];
  readonly nextCursor?: string;
}

/** @returns how often the integration was asked for a page */
async function listFrom(pageFor: (cursor: string | undefined, count: number) => Listed) {
  integration.on('tools', ({ cursor }) => {
    if (integration.asked.length > 100) throw new Error('It is asked without end.');
    return pageFor(cursor, integration.asked.length);
  });
  const { names, states } = await application.list(application.client('modern'), 'tools');
  return { names, states, count: integration.asked.length };
}

const [A, B] = [toolOf('a'), toolOf('b')];

it.each(['', 'end'])(
  'a list that names the cursor %j on its only page is listed whole, with two requests',
  async (nextCursor) => {
    const { names, states, count } = await listFrom(() => ({ tools: [A, B], nextCursor }));
    expect(names).toEqual(['pages__a', 'pages__b']);
    expect(states).toEqual({ pages: 'ok 2' });
    expect(count).toBe(2);
  },
);

it('a list with pages that go in circles is listed once', async () => {
  const { names, states, count } = await listFrom((cursor) =>
    cursor === 'two' ? { tools: [B], nextCursor: 'one' } : { tools: [A], nextCursor: 'two' },
  );
  expect(names).toEqual(['pages__a', 'pages__b']);
  expect(states).toEqual({ pages: 'ok 2' });
  expect(count).toBe(3);
});

it('an empty page that repeats ends its list', async () => {
  const { states, count } = await listFrom(() => ({ tools: [], nextCursor: 'next' }));
  expect([states, count]).toEqual([{ pages: 'ok 0' }, 2]);
});

it('a page with the cursor of the one before and other entries goes on', async () => {
  const { names, states } = await listFrom((_cursor, count) =>
    count < 3 ? { tools: [toolOf(`t${count}`)], nextCursor: '' } : { tools: [toolOf('last')] },
  );
  expect(names).toEqual(['pages__t1', 'pages__t2', 'pages__last']);
  expect(states).toEqual({ pages: 'ok 3' });
});

it('a list that sends one page under ever new cursors shows its entries, and says that there may be more', async () => {
  const { names, states, count } = await listFrom((_cursor, each) => ({
    tools: [A, B],
    nextCursor: String(each),
  }));
  expect(names).toEqual(['pages__a', 'pages__b']);
  expect([states, count]).toEqual([{ pages: 'partial 2' }, 50]);
  const { integrations } = await application.state();
  expect(integrations[0]).toMatchObject({ state: 'partial', counts: { tools: 2 } });
});

it('a list of more than 5,000 entries shows the first 5,000, and says that there are more', async () => {
  const { names, states } = await listFrom((cursor = '0') => ({
    tools: Array.from({ length: 900 }, (_, index) => toolOf(`t${Number(cursor) * 900 + index}`)),
    nextCursor: String(Number(cursor) + 1),
  }));
  expect(names.at(-1)).toBe('pages__t4999');
  expect(states).toEqual({ pages: 'partial 5000' });
});
