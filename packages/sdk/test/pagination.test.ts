import { describe, expect, it } from 'vitest';
import { type Gatehouse, isGatehouseError } from '../src/index.ts';
import { rejection } from './support/rejection.ts';
import { json, type Received, startServer } from './support/server.ts';

interface PageBody {
  readonly items: readonly object[];
  readonly nextCursor?: string | null;
}

const item = (id: string) => ({ id });
const cursorOf = ({ target }: Received) => new URL(target, 'http://x').searchParams.get('cursor');

/** A server that finds pages by their cursor; the first one is at ''. */
function serve(pages: Record<string, PageBody>) {
  return startServer((response, request) => json(response, 200, pages[cursorOf(request) ?? '']));
}

async function ids(list: ReturnType<Gatehouse['integrations']['list']>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of list) found.push(id);
  return found;
}

const threePages = {
  '': { items: [item('1'), item('2')], nextCursor: 'b' },
  b: { items: [item('3')], nextCursor: 'c' },
  c: { items: [item('4')], nextCursor: null },
};

describe('a list call', () => {
  it('gives the first page when awaited, with one request', async () => {
    const server = await serve(threePages);
    const page = await server.client().integrations.list();
    expect(page.items).toEqual([item('1'), item('2')]);
    expect(page.nextCursor).toBe('b');
    expect(page.hasNextPage()).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it('gives page after page, and null after the last one', async () => {
    const server = await serve(threePages);
    const first = await server.client().integrations.list();
    const second = await first.getNextPage();
    const third = await second?.getNextPage();
    expect(second?.items).toEqual([item('3')]);
    expect(third?.items).toEqual([item('4')]);
    expect(third?.hasNextPage()).toBe(false);
    expect(await third?.getNextPage()).toBeNull();
    expect(server.received).toHaveLength(3);
  });

  it('gives all items when iterated, with the query and the headers on every page', async () => {
    const server = await serve(threePages);
    const options = { headers: { 'x-trace': '1' } };
    expect(await ids(server.client().integrations.list({ limit: 2, name: 'a' }, options))).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(server.received.map(({ target }) => target)).toEqual([
      '/api/v1/integrations?limit=2&name=a',
      '/api/v1/integrations?limit=2&name=a&cursor=b',
      '/api/v1/integrations?limit=2&name=a&cursor=c',
    ]);
    expect(server.received.every(({ headers }) => headers['x-trace'] === '1')).toBe(true);
  });

  it('fetches the first page once when the same call is awaited and iterated', async () => {
    const server = await serve({ '': { items: [item('1')], nextCursor: null } });
    const list = server.client().integrations.list();
    await list;
    expect(await ids(list)).toEqual(['1']);
    expect(server.received).toHaveLength(1);
  });

  it('can be iterated twice', async () => {
    const server = await serve(threePages);
    const list = server.client().integrations.list();
    expect(await ids(list)).toEqual(await ids(list));
  });

  it('fetches no page that the iteration does not reach', async () => {
    const server = await serve(threePages);
    for await (const { id } of server.client().integrations.list()) {
      if (id === '2') break;
    }
    expect(server.received).toHaveLength(1);
  });

  it('goes on after an empty page that has a cursor', async () => {
    const server = await serve({
      '': { items: [], nextCursor: 'b' },
      b: { items: [item('1')], nextCursor: null },
    });
    expect(await ids(server.client().integrations.list())).toEqual(['1']);
  });

  it('ends where the cursor is absent', async () => {
    const server = await serve({ '': { items: [item('1')] } });
    const page = await server.client().integrations.list();
    expect(page.nextCursor).toBeNull();
    expect(page.hasNextPage()).toBe(false);
  });

  it('resumes at a stored cursor', async () => {
    const server = await serve(threePages);
    expect(await ids(server.client().integrations.list({ cursor: 'b' }))).toEqual(['3', '4']);
  });

  it.each([
    ['at once', { '': { items: [], nextCursor: 'b' }, b: { items: [], nextCursor: 'b' } }, {}, 2],
    [
      'after a round',
      {
        '': { items: [], nextCursor: 'b' },
        b: { items: [], nextCursor: 'c' },
        c: { items: [], nextCursor: 'b' },
      },
      {},
      3,
    ],
    ['that it started at', { b: { items: [], nextCursor: 'b' } }, { cursor: 'b' }, 1],
  ])('throws on a cursor repeated %s', async (_, pages, query, requests) => {
    const server = await serve(pages);
    const error = await rejection(ids(server.client().integrations.list(query)));
    expect(isGatehouseError(error) && error.code).toBe('repeated_cursor');
    expect(server.received).toHaveLength(requests);
  });

  it('throws the error of the page that fails, while iterating', async () => {
    const server = await startServer((response, request) => {
      if (cursorOf(request) === null) json(response, 200, threePages['']);
      else json(response, 503, {});
    });
    const seen: string[] = [];
    const iterate = async () => {
      for await (const { id } of server.client().integrations.list()) seen.push(id);
    };
    await expect(iterate()).rejects.toMatchObject({ name: 'ServerError', status: 503 });
    expect(seen).toEqual(['1', '2']);
  });

  it('throws when the answer has no items', async () => {
    const server = await startServer((response) => json(response, 200, { data: [] }));
    await expect(server.client().integrations.list()).rejects.toMatchObject({
      name: 'InvalidResponseError',
      code: 'invalid_response',
    });
  });

  it('hands out the headers of its page', async () => {
    const server = await serve(threePages);
    const { data, status } = await server.client().integrations.list().withResponse();
    expect(status).toBe(200);
    expect(data.items).toHaveLength(2);
  });

  it('gives its pages one after the other, from the call or from a page', async () => {
    const server = await serve(threePages);
    const sizes: number[] = [];
    for await (const { items } of server.client().integrations.list().iterPages()) {
      sizes.push(items.length);
    }
    expect(sizes).toEqual([2, 1, 1]);
    const second = await server.client().integrations.list({ cursor: 'b' });
    const cursors: (string | null)[] = [];
    for await (const { nextCursor } of second.iterPages()) cursors.push(nextCursor);
    expect(cursors).toEqual(['c', null]);
  });

  it('is resumed after a failure at the cursor of the last good page', async () => {
    let isDown = true;
    const server = await startServer((response, request) => {
      if (cursorOf(request) === 'c' && isDown) json(response, 503, {});
      else json(response, 200, threePages[(cursorOf(request) ?? '') as keyof typeof threePages]);
    });
    const client = server.client();
    let cursor: string | undefined;
    const seen: string[] = [];
    const run = async () => {
      for await (const page of client.integrations.list({ cursor }).iterPages()) {
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      }
    };
    await expect(run()).rejects.toMatchObject({ status: 503 });
    isDown = false;
    await run();
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  it('collects no more items than asked for, and fetches no page in vain', async () => {
    const server = await serve(threePages);
    const collect = async (max: number) => {
      server.received.length = 0;
      const items = await server.client().integrations.list().toArray({ max });
      return [items.map(({ id }) => id).join(''), server.received.length];
    };
    expect(await collect(1)).toEqual(['1', 1]);
    expect(await collect(2)).toEqual(['12', 1]);
    expect(await collect(3)).toEqual(['123', 2]);
    expect(await collect(100)).toEqual(['1234', 3]);
  });

  it.each([
    undefined,
    {},
    { max: 0 },
    { max: -1 },
    { max: 1.5 },
    { max: Number.POSITIVE_INFINITY },
  ])('is not collected without a proper max: %j', async (options) => {
    const server = await serve(threePages);
    const list = server.client().integrations.list();
    const error = await rejection(list.toArray(options as { max: number }));
    expect(error).toMatchObject({ name: 'InvalidArgumentError' });
    expect(error.message).toContain('max');
  });
});
