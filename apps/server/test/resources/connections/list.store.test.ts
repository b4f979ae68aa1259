import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import { createIntegration } from '../integrations/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');
const stranger = useStranger(server);

const SECRET = 'a-very-secret-token';

async function connectable(url = 'https://mcp.example.com/mcp') {
  return (await createIntegration(server, { authMode: 'user_token', url })).id;
}

const connect = (id: string, token: string) =>
  server.call('POST', `/integrations/${id}/connection`, { token, body: { token: SECRET } });

const list = (id: string, query = '', token: string | null = server.owner) =>
  server.call('GET', `/integrations/${id}/connections${query}`, { token });

const peopleIn = ({ body }: { body: { items: { userId: string }[] } }) =>
  body.items.map(({ userId }) => userId);

describe('GET /integrations/:id/connections', () => {
  it('requires a token', async () => {
    expect((await list(await connectable(), '', null)).status).toBe(401);
  });

  it('is for admins, and for nobody of another organization', async () => {
    const id = await connectable();
    expect((await list(id, '', member.token)).status).toBe(403);
    expect((await list(id, '', admin.token)).status).toBe(200);
    expect((await list(id, '', stranger.token)).status).toBe(404);
    expect((await list(crypto.randomUUID())).status).toBe(404);
  });

  it('says who has connected and since when, and never the credential or the account', async () => {
    const id = await connectable();
    await connect(id, member.token);
    const { db } = server.store;
    const displayName = 'ada@tracker.example';
    await db.connection.updateMany({ where: { integrationId: id }, data: { displayName } });
    const { email, name } = await db.user.findUniqueOrThrow({ where: { id: member.id } });
    const { body, text } = await list(id);
    expect(body).toEqual({
      items: [
        {
          ...{ userId: member.id, userName: name, userEmail: email },
          ...{ mode: 'user_token', connected: true, status: 'connected' },
          createdAt: expect.stringMatching(/Z$/),
          refreshedAt: null,
        },
      ],
      nextCursor: null,
    });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(displayName);
  });

  it('says what state each is in', async () => {
    const id = await connectable();
    await connect(id, member.token);
    await connect(id, other.token);
    const { db } = server.store;
    const refreshedAt = new Date('2026-11-21T09:55:12.006Z');
    await db.connection.updateMany({
      where: { integrationId: id, userId: member.id },
      data: { reason: 'rejected_upstream', refreshedAt, expiresAt: refreshedAt },
    });
    expect((await list(id, `?userId=${member.id}`)).body.items).toMatchObject([
      {
        ...{ userId: member.id, connected: true, reason: 'rejected_upstream' },
        ...{ refreshedAt: refreshedAt.toISOString(), expiresAt: refreshedAt.toISOString() },
      },
    ]);
    expect((await list(id, `?userId=${admin.id}`)).body.items).toEqual([]);
  });

  it('is filtered by the status that each read shows', async () => {
    const id = await connectable();
    await connect(id, member.token);
    const body = { url: 'https://elsewhere.example.com/mcp' };
    await server.call('PATCH', `/integrations/${id}`, { body });
    await connect(id, other.token);
    expect(peopleIn(await list(id, '?status=connected'))).toEqual([other.id]);
    expect((await list(id, '?status=disconnected')).body.items).toMatchObject([
      { userId: member.id, connected: false, status: 'disconnected', reason: 'needs_reauth' },
    ]);
    await server.call('PATCH', `/integrations/${id}`, { body: { authMode: 'none' } });
    expect(peopleIn(await list(id, '?status=connected'))).toEqual([]);
    expect(peopleIn(await list(id, '?status=disconnected'))).toEqual([other.id, member.id]);
    expect((await list(id, '?status=ended')).status).toBe(400);
  });

  it('pages by member, the newest first, with a cursor for one integration and filter', async () => {
    const [id, another] = [await connectable(), await connectable()];
    for (const token of [other.token, admin.token, member.token]) await connect(id, token);
    const first = await list(id, '?limit=2');
    const cursor = `cursor=${first.body.nextCursor}`;
    const second = await list(id, `?limit=2&${cursor}`);
    const ids = [admin.id, member.id, other.id].sort().reverse();
    expect([...peopleIn(first), ...peopleIn(second)]).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    for (const elsewhere of [
      await list(another, `?${cursor}`),
      await list(id, `?${cursor}&status=connected`),
    ]) {
      expect(elsewhere.body.code).toBe('invalid_cursor');
    }
  });

  it('still shows those of an archived integration', async () => {
    const id = await connectable();
    await connect(id, member.token);
    await server.call('DELETE', `/integrations/${id}`);
    expect(peopleIn(await list(id))).toEqual([member.id]);
  });
});
