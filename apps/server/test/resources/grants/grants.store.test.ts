import { describe, expect, it } from 'vitest';
import {
  insertConsent,
  insertGrant,
  insertOauthToken,
  insertSessionOfGrant,
} from '../../support/grants.ts';
import { addOrganization } from '../../support/organization.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');

async function grantOf(userId: string) {
  const { id } = await createApplication(server);
  return insertGrant(server, id, { userId });
}

const list = (query = '', token: string | null = member.token) =>
  server.call('GET', `/grants${query}`, { token });

const end = (id: string, token: string | null = member.token) =>
  server.call('DELETE', `/grants/${id}`, { token });

const countGrants = (id: string) => server.store.db.grant.count({ where: { id } });

describe('GET /grants', () => {
  it('requires a token', async () => {
    expect((await list('', null)).status).toBe(401);
  });

  it("shows only the caller's own, whatever their role", async () => {
    const { id } = await grantOf(other.id);
    for (const token of [server.owner, admin.token, member.token]) {
      expect((await list('', token)).text).not.toContain(id);
    }
    expect((await list('', other.token)).text).toContain(id);
    const asked = await list(`?userId=${other.id}`, admin.token);
    expect([asked.status, asked.text.includes(id)]).toEqual([200, false]);
  });

  it('shows what each grant allows, and to which client', async () => {
    const someone = await server.addMember('member');
    const application = await createApplication(server, { name: 'Editor' });
    const lastUsedAt = new Date('2026-11-21T10:00:00Z');
    const fields = { userId: someone.id, clientId: 'https://c.example/client.json', lastUsedAt };
    const grant = await insertGrant(server, application.id, fields);
    expect((await list('', someone.token)).body).toEqual({
      items: [
        {
          id: grant.id,
          applicationId: application.id,
          applicationName: 'Editor',
          clientId: 'https://c.example/client.json',
          resources: grant.resources,
          scopes: ['mcp'],
          createdAt: grant.createdAt.toISOString(),
          lastUsedAt: '2026-11-21T10:00:00.000Z',
          expiresAt: grant.expiresAt.toISOString(),
        },
      ],
      nextCursor: null,
    });
  });

  it('pages newest first, without those that have expired, with a cursor for oneself alone', async () => {
    const someone = await server.addMember('member');
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await grantOf(someone.id)).id);
    const expired = await grantOf(someone.id);
    const expiresAt = new Date(Date.now() - 1_000);
    await server.store.db.grant.update({ where: { id: expired.id }, data: { expiresAt } });
    const first = await list('?limit=2', someone.token);
    const cursor = `?limit=2&cursor=${first.body.nextCursor}`;
    const second = await list(cursor, someone.token);
    const items = [...first.body.items, ...second.body.items];
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    expect((await list(cursor, other.token)).body.code).toBe('invalid_cursor');
  });
});

describe('DELETE /grants/:id', () => {
  it('requires a token', async () => {
    expect((await end((await grantOf(member.id)).id, null)).status).toBe(401);
  });

  it('is for the person who agreed, and for admins', async () => {
    const { id } = await grantOf(member.id);
    expect((await end(id, other.token)).status).toBe(404);
    expect(await countGrants(id)).toBe(1);
    expect((await end(id)).status).toBe(204);
    expect(await countGrants(id)).toBe(0);
    expect((await end((await grantOf(member.id)).id, admin.token)).status).toBe(204);
  });

  it('does not find one of another organization, nor one of another person, not even for the owner of the application', async () => {
    const token = await addOrganization(server.store);
    const { id: foreign } = await createApplication(server, { token });
    const { id } = await insertGrant(server, foreign);
    expect((await end(id, server.owner)).status).toBe(404);
    const { id: owned } = await createApplication(server, { token: other.token });
    const grant = await insertGrant(server, owned, { userId: member.id });
    expect((await end(grant.id, other.token)).status).toBe(404);
    expect((await end('42')).status).toBe(400);
  });

  it('ends its tokens and the sessions that are its activity, and no others', async () => {
    const { id: applicationId } = await createApplication(server);
    const integrationId = await createIntegration(server);
    await attach(server, applicationId, integrationId);
    const [grant, kept] = [
      await insertGrant(server, applicationId, { userId: member.id }),
      await insertGrant(server, applicationId, { userId: other.id }),
    ];
    await insertOauthToken(server, grant, 'access');
    const token = await insertOauthToken(server, kept, 'access');
    const session = await insertSessionOfGrant(server, grant, integrationId);
    const keptSession = await insertSessionOfGrant(server, kept, integrationId);
    await end(grant.id);
    const tokens = await server.store.db.oauthToken.findMany({ where: { applicationId } });
    expect(tokens.map(({ id }) => id)).toEqual([token]);
    const where = { id: { in: [session, keptSession] } };
    const rows = await server.store.db.session.findMany({ where, orderBy: { id: 'asc' } });
    expect(rows.map(({ state }) => state)).toEqual(['revoked', 'open']);
  });

  it('forgets the consent of that person to that client, and announces the grant', async () => {
    const { id: applicationId } = await createApplication(server);
    const grant = await insertGrant(server, applicationId, { userId: member.id });
    const others = await insertGrant(server, applicationId, { userId: other.id });
    await insertConsent(server, grant);
    const kept = await insertConsent(server, others);
    const heard: unknown[] = [];
    const stop = server.store.changes.subscribe({ react: (changes) => heard.push(...changes) });
    await end(grant.id);
    stop();
    const consents = await server.store.db.consent.findMany({ where: { applicationId } });
    expect(consents.map(({ id }) => id)).toEqual([kept]);
    expect(heard).toContainEqual({ kind: 'token', id: grant.id });
  });

  it('succeeds once when many ask at the same time', async () => {
    const { id } = await grantOf(member.id);
    const answers = await Promise.all([end(id), end(id), end(id, admin.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });
});
