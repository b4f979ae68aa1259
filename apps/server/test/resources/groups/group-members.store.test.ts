import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';

const server = useServer();
const db = () => server.store.db;

async function addGroup(more: object = {}): Promise<string> {
  const body = { name: crypto.randomUUID(), ...more };
  return (await server.call('POST', '/groups', { body })).body.group.id;
}

const idsIn = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

describe('the members of a group', () => {
  it('are added and removed, and doing it again changes nothing', async () => {
    const [id, member] = [await addGroup(), await server.addMember('member')];
    const path = `/groups/${id}/members/${member.id}`;
    const etag = (await server.call('GET', `/groups/${id}`)).headers.get('etag');
    for (const _ of [1, 2]) expect((await server.call('PUT', path)).status).toBe(204);
    expect(idsIn(await server.call('GET', `/groups/${id}/members`))).toEqual([member.id]);
    expect(idsIn(await server.call('GET', `/members?groupId=${id}`))).toEqual([member.id]);
    for (const _ of [1, 2]) expect((await server.call('DELETE', path)).status).toBe(204);
    expect(idsIn(await server.call('GET', `/groups/${id}/members`))).toEqual([]);
    expect((await server.call('GET', `/groups/${id}`)).headers.get('etag')).toBe(etag);
  });

  it('are listed in pages, newest member first, and a cursor is for one group', async () => {
    const [id, other] = [await addGroup(), await addGroup()];
    const members = [];
    for (const _ of [1, 2, 3]) members.unshift((await server.addMember('member')).id);
    for (const member of members) await server.call('PUT', `/groups/${id}/members/${member}`);
    for (const path of [`/groups/${id}/members?`, `/members?groupId=${id}&`]) {
      const first = await server.call('GET', `${path}limit=2`);
      const next = await server.call('GET', `${path}cursor=${first.body.nextCursor}`);
      expect([idsIn(first), idsIn(next)]).toEqual([members.slice(0, 2), members.slice(2)]);
      expect(next.body.nextCursor).toBeNull();
      const elsewhere = path.replace(id, other);
      const refused = await server.call('GET', `${elsewhere}cursor=${first.body.nextCursor}`);
      expect(refused.body.code).toBe('invalid_cursor');
    }
  });

  it('are in no list that asks for an unknown group', async () => {
    expect(idsIn(await server.call('GET', `/members?groupId=${crypto.randomUUID()}`))).toEqual([]);
    expect((await server.call('GET', `/groups/${crypto.randomUUID()}/members`)).status).toBe(404);
  });

  it('are not chosen by hand where the provider decides', async () => {
    const [id, member] = [
      await addGroup({ externalId: 'sales' }),
      await server.addMember('member'),
    ];
    for (const method of ['PUT', 'DELETE']) {
      const refused = await server.call(method, `/groups/${id}/members/${member.id}`);
      expect(refused.body).toMatchObject({ status: 409, code: 'managed_by_provider' });
    }
  });

  it('are at most 10,000', async () => {
    const [id, member] = [await addGroup(), await server.addMember('member')];
    const { organizationId } = await db().user.findUniqueOrThrow({ where: { id: member.id } });
    await db().$executeRaw`
      WITH "added" AS (
        INSERT INTO "User" ("id", "organizationId", "email", "name", "role", "createdAt")
        SELECT gen_random_uuid(), ${organizationId}::uuid, n || '@many.example', 'M', 'member', now()
        FROM generate_series(1, 10000) n RETURNING "id")
      INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
      SELECT ${id}::uuid, "id", now() FROM "added"`;
    const refused = await server.call('PUT', `/groups/${id}/members/${member.id}`);
    expect(refused.body).toMatchObject({ status: 409, code: 'group_limit_reached' });
    expect(await db().groupMember.count({ where: { groupId: id } })).toBe(10_000);
  });
});

describe('a member', () => {
  it('sees the groups they are in, but not who else is in them', async () => {
    const [mine, other, member] = [
      await addGroup(),
      await addGroup(),
      await server.addMember('member'),
    ];
    await server.call('PUT', `/groups/${mine}/members/${member.id}`);
    const { token } = member;
    expect(idsIn(await server.call('GET', '/groups', { token }))).toEqual([mine]);
    expect((await server.call('GET', `/groups/${mine}`, { token })).status).toBe(200);
    expect((await server.call('GET', `/groups/${other}`, { token })).status).toBe(404);
    expect((await server.call('GET', `/groups/${mine}/members`, { token })).status).toBe(403);
    expect(idsIn(await server.call('GET', '/groups'))).toEqual(
      expect.arrayContaining([mine, other]),
    );
  });

  it('who is removed leaves their groups, which the receipt names', async () => {
    const [first, second, member] = [
      await addGroup(),
      await addGroup(),
      await server.addMember('member'),
    ];
    for (const id of [first, second])
      await server.call('PUT', `/groups/${id}/members/${member.id}`);
    const { body } = await server.call('DELETE', `/members/${member.id}`);
    expect(body.groups.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(idsIn(await server.call('GET', `/groups/${first}/members`))).toEqual([]);
  });
});
