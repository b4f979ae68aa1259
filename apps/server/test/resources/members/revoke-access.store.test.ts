import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createId } from '../../../src/platform/ids.ts';
import { insertConsent, insertGrant, insertOauthToken } from '../../support/grants.ts';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import {
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const revoke = (id: string, token: string | null = server.owner, headers = {}) =>
  server.call('POST', `/members/${id}/revoke-access`, { token, headers });

const NOTHING = { tokens: 0, grants: 0, consents: 0, sessions: 0, leases: 0, streams: 0 };

/** A link and a browser of a member. */
async function addSignIns(userId: string): Promise<void> {
  const { db } = server.store;
  const { organizationId } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const { id, createdAt } = createId();
  const common = { id, createdAt, organizationId, userId, hash: randomBytes(32) };
  const expiresAt = new Date(createdAt.getTime() + 60_000);
  await db.signInLink.create({ data: { ...common, purpose: 'reset', expiresAt } });
  await db.browserSession.create({ data: { ...common, lastSeenAt: createdAt } });
}

async function signInsOf(userId: string): Promise<number> {
  const { db } = server.store;
  const where = { userId };
  return (await db.signInLink.count({ where })) + (await db.browserSession.count({ where }));
}

/** A grant with two tokens, a consent, a live session and sign-ins. */
async function addAccess(userId: string): Promise<void> {
  const { id } = await createApplication(server);
  const integrationId = await createIntegration(server);
  await attach(server, id, integrationId);
  const grant = await insertGrant(server, id, { userId });
  await insertOauthToken(server, grant, 'access');
  await insertOauthToken(server, grant, 'refresh');
  await insertConsent(server, grant);
  const sessionId = await insertSession(server, id, integrationId);
  await server.store.db.session.update({ where: { id: sessionId }, data: { userId } });
  const leaseUntil = new Date(Date.now() + 60_000);
  const presence = { sessionId, applicationId: id, nodeId: crypto.randomUUID(), leaseUntil };
  await server.store.db.sessionPresence.create({ data: presence });
  await addSignIns(userId);
}

describe('POST /members/:id/revoke-access', () => {
  it('requires a token', async () => {
    expect((await revoke(member.id, null)).status).toBe(401);
  });

  it('is for admins and for oneself, and only for owners where the member is one', async () => {
    const owner = await server.addMember('owner');
    expect((await revoke(admin.id, member.token)).body.code).toBe('forbidden');
    expect((await revoke(crypto.randomUUID(), member.token)).body.code).toBe('forbidden');
    expect((await revoke(owner.id, admin.token)).body.code).toBe('forbidden');
    expect((await revoke(owner.id)).status).toBe(200);
    const own = await server.addMember('owner');
    expect((await revoke(own.id, own.token)).status).toBe(200);
  });

  it('does not know a member of another organization', async () => {
    expect((await revoke(member.id, stranger.token)).status).toBe(404);
    expect((await revoke(crypto.randomUUID())).status).toBe(404);
    expect((await revoke('42')).status).toBe(400);
  });

  it('ends whatever programs and browsers hold, counts it, and leaves the member', async () => {
    const someone = await server.addMember('member');
    await addAccess(someone.id);
    const { status, body } = await revoke(someone.id, admin.token);
    // The personal token, the invitation that made it, and the two of the grant.
    const revoked = { tokens: 4, grants: 1, consents: 1, sessions: 1, leases: 0, streams: 1 };
    expect([status, body]).toEqual([200, { revoked }]);
    expect((await server.call('GET', '/me', { token: someone.token })).status).toBe(401);
    expect(await signInsOf(someone.id)).toBe(0);
    expect(await server.store.db.user.count({ where: { id: someone.id } })).toBe(1);
    expect((await revoke(someone.id)).body.revoked).toEqual(NOTHING);
  });

  it('counts no token that had expired', async () => {
    const someone = await server.addMember('member');
    const where = { userId: someone.id, kind: 'personal' } as const;
    const expiresAt = new Date(Date.now() - 1_000);
    await server.store.db.token.updateMany({ where, data: { expiresAt } });
    expect((await revoke(someone.id)).body.revoked.tokens).toBe(1);
  });

  it("touches nothing of other members, nor other people's grants to the member's applications", async () => {
    const someone = await server.addMember('member');
    const { id } = await createApplication(server, { token: someone.token });
    const kept = await insertGrant(server, id, { userId: member.id });
    await revoke(someone.id);
    expect(await server.store.db.grant.count({ where: { id: kept.id } })).toBe(1);
    expect((await server.call('GET', '/me', { token: member.token })).status).toBe(200);
  });

  it('of oneself includes the token of the request, and no replay of its secrets', async () => {
    const someone = await server.addMember('member');
    const headers = { 'idempotency-key': 'made-before' };
    const body = { name: 'CI', scopes: ['mcp', 'management:write'] };
    const made = await server.call('POST', '/tokens', { token: someone.token, headers, body });
    const { revoked } = (await revoke(someone.id, someone.token)).body;
    expect(revoked).toEqual({ ...NOTHING, tokens: 3 });
    for (const token of [someone.token, made.body.secret]) {
      expect((await server.call('GET', '/me', { token })).status).toBe(401);
    }
    const stored = await server.store.db.idempotencyKey.findFirstOrThrow({
      where: { userId: someone.id, key: 'made-before' },
    });
    expect(stored.sealed).toBeNull();
  });

  it('counts each thing once, however many ask at the same time', async () => {
    const someone = await server.addMember('member');
    await addAccess(someone.id);
    const answers = await Promise.all([
      revoke(someone.id),
      revoke(someone.id),
      revoke(someone.id, admin.token),
    ]);
    const receipts = answers.map(({ body }) => body.revoked);
    const all = { tokens: 4, grants: 1, consents: 1, sessions: 1, leases: 0, streams: 1 };
    expect(receipts.filter(({ tokens }) => tokens > 0)).toEqual([all]);
  });
});

describe('DELETE /members/:id', () => {
  it('leaves no grant, OAuth token, consent, link or browser session behind', async () => {
    const someone = await server.addMember('member');
    await addAccess(someone.id);
    expect((await server.call('DELETE', `/members/${someone.id}`)).status).toBe(200);
    const { db } = server.store;
    const where = { userId: someone.id };
    expect(await db.grant.count({ where })).toBe(0);
    expect(await db.oauthToken.count({ where })).toBe(0);
    expect(await db.consent.count({ where })).toBe(0);
    expect(await signInsOf(someone.id)).toBe(0);
  });

  it('names the applications with a secret that the member may know, newest first', async () => {
    const someone = await server.addMember('member');
    const { token } = someone;
    const make = (name: string, oauth = {}) => createApplication(server, { token, name, oauth });
    const [first, second] = [await make('First'), await make('Second')];
    await make('Public', { type: 'public' });
    const archived = await make('Archived');
    await server.call('DELETE', `/applications/${archived.id}`);
    const { body } = await server.call('DELETE', `/members/${someone.id}`);
    expect(body).toEqual({
      applications: [
        { id: second.id, name: 'Second' },
        { id: first.id, name: 'First' },
      ],
      groups: [],
    });
  });
});

describe('PATCH /members/:id', () => {
  it('ends the sign-in links of a member who is promoted, as it ends the invitation', async () => {
    const someone = await server.addMember('member');
    await addSignIns(someone.id);
    const patch = (body: object) => server.call('PATCH', `/members/${someone.id}`, { body });
    await patch({ name: 'Renamed' });
    // The invitation's link, another one, and a browser.
    expect(await signInsOf(someone.id)).toBe(3);
    await patch({ role: 'admin' });
    expect(await server.store.db.signInLink.count({ where: { userId: someone.id } })).toBe(0);
  });
});
