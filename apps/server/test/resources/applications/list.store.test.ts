import type { Application } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  createApplication,
  createIntegrations,
  insertApplications,
  insertIntegrations,
} from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
let integrationIds: string[];
let owned: string[];

beforeAll(async () => {
  integrationIds = await createIntegrations(server, 3);
  const attached = Array.from({ length: 60 }, (_, i) => integrationIds.slice(0, i % 4));
  owned = await insertApplications(server, attached);
  await addForeignRows(server);
});

async function list(query = '', token = server.owner) {
  const answer = await server.call('GET', `/applications${query}`, { token });
  const items: Application[] = answer.body?.items ?? [];
  return { ...answer, items, ids: items.map(({ id }) => id) };
}

describe('GET /applications', () => {
  it('requires a token', async () => {
    expect((await server.call('GET', '/applications', { token: null })).status).toBe(401);
  });

  it('holds the caller’s own applications, for every role', async () => {
    const { id } = await createApplication(server, { token: member.token });
    expect((await list('', member.token)).ids).toEqual([id]);
    expect((await list('', admin.token)).ids).toEqual([]);
    expect((await list('?limit=100')).ids).toEqual(owned);
  });

  it('shows all of the organization to admins and owners who ask, and to no member', async () => {
    const all = await list('?all=true&limit=100', admin.token);
    expect(all.ids).toEqual(expect.arrayContaining(owned));
    expect(all.ids).toHaveLength(owned.length + 1);
    const refused = await list('?all=true', member.token);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await list('?all=false', member.token)).status).toBe(200);
  });

  it('pages newest first until nextCursor is null', async () => {
    const first = await list();
    expect(first.ids).toEqual(owned.slice(0, 50));
    const second = await list(`?limit=4&cursor=${first.body.nextCursor}`);
    expect(second.ids).toEqual(owned.slice(50, 54));
    const third = await list(`?cursor=${second.body.nextCursor}`);
    expect(third.ids).toEqual(owned.slice(54));
    expect(third.body.nextCursor).toBeNull();
  });

  it('refuses a cursor of another list, user or filter, and an altered one', async () => {
    const { body } = await list('?limit=2');
    const cursor: string = body.nextCursor;
    for (const [query, token] of [
      [`?all=true&cursor=${cursor}`, server.owner],
      [`?includeArchived=true&cursor=${cursor}`, server.owner],
      [`?cursor=${cursor}`, admin.token],
      [`?cursor=x${cursor}`, server.owner],
    ] as const) {
      const refused = await list(query, token);
      expect([query, refused.status, refused.body.code]).toEqual([query, 400, 'invalid_cursor']);
    }
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'all=yes',
    'includeArchived=1',
    'all=true&all=true',
  ])('refuses %s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('leaves archived applications out unless asked', async () => {
    const { id } = await createApplication(server, { token: admin.token });
    await server.call('DELETE', `/applications/${id}`);
    expect((await list('', admin.token)).ids).toEqual([]);
    const archived = await list('?includeArchived=true', admin.token);
    expect(archived.items).toMatchObject([{ id, canModify: false, mcpUrlTemplate: null }]);
  });

  it('shows each item as GET does', async () => {
    const { items } = await list('?limit=3');
    for (const item of items) {
      expect((await server.call('GET', `/applications/${item.id}`)).body.application).toEqual(item);
    }
    expect(items.map(({ integrations }) => integrations.length)).toEqual([3, 2, 1]);
  });

  it('makes three statements for a page that cannot be too large, and four for any other', async () => {
    const statements = async (query: string) => {
      server.store.statements();
      await list(query);
      const sent = server.store.statements();
      return sent.filter((sql) => /"(?:Application|Attachment|Integration|Session)"/.test(sql));
    };
    expect(await statements('?limit=1')).toHaveLength(3);
    expect(await statements('?limit=2')).toHaveLength(3);
    expect(await statements('?limit=3')).toHaveLength(4);
    expect(await statements('?limit=50')).toHaveLength(4);
  });
});

describe('a page', () => {
  const roomy = useServer();

  it('ends early where its applications have many integrations together', async () => {
    const ids = await insertIntegrations(roomy, 400);
    const applications = await insertApplications(roomy, [ids, ids, ids, ids]);
    const { body: first } = await roomy.call('GET', '/applications?limit=3');
    expect(first.items.map(({ id }: Application) => id)).toEqual(applications.slice(0, 2));
    expect(first.items[0].integrations).toHaveLength(400);
    const { body: second } = await roomy.call(
      'GET',
      `/applications?limit=3&cursor=${first.nextCursor}`,
    );
    expect(second.items.map(({ id }: Application) => id)).toEqual(applications.slice(2));
    expect(second.nextCursor).toBeNull();
  });
});
