import { describe, expect, it } from 'vitest';
import { insertConsent, insertGrant, insertOauthToken } from '../../support/grants.ts';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import {
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';
import { insertLease } from '../sessions/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const read = (id: string, token: string | null = server.owner) =>
  server.call('GET', `/members/${id}/access`, { token });

const ONE = (name: string, id: string = expect.any(String)) => ({
  total: 1,
  items: [{ id, name }],
});
const EMPTY = { total: 0, items: [] };

/** A place for sessions of others' applications, with what rules need. */
async function makePlace() {
  const { id: applicationId } = await createApplication(server, { name: 'Editor' });
  const body = { name: 'Tracker', authMode: 'user_token' };
  const integrationId = await createIntegration(server, body);
  await attach(server, applicationId, integrationId);
  return { applicationId, integrationId };
}

/** One of everything that a member may have. */
async function addAccess({ id: userId, token }: { id: string; token: string }) {
  const place = await makePlace();
  const { applicationId, integrationId } = place;
  await server.call('POST', `/integrations/${integrationId}/connection`, {
    token,
    body: { token: 'secret' },
  });
  const grant = await insertGrant(server, applicationId, { userId });
  for (const kind of ['access', 'refresh', 'code'] as const) {
    await insertOauthToken(server, grant, kind);
  }
  await insertConsent(server, grant);
  const session = await insertSession(server, applicationId, integrationId, { userId });
  const leaseUntil = new Date(Date.now() + 60_000);
  const presence = { sessionId: session, applicationId, nodeId: crypto.randomUUID(), leaseUntil };
  await server.store.db.sessionPresence.create({ data: presence });
  const lease = await insertLease(server, place, userId);
  const group = (await server.call('POST', '/groups', { body: { name: crypto.randomUUID() } })).body
    .group;
  await server.call('PUT', `/groups/${group.id}/members/${userId}`);
  const secret = await createApplication(server, { token, name: 'With a secret' });
  const open = await createApplication(server, { token, name: 'Open', oauth: { type: 'public' } });
  return { ...place, grant, session, lease, group, secret, open };
}

const nameIn = async (integrationId: string, applicationId: string | undefined, rules: object) => {
  const at = applicationId === undefined ? '' : `/applications/${applicationId}`;
  await server.call('PUT', `${at}/integrations/${integrationId}/policy`, { body: rules });
};

describe('GET /members/:id/access', () => {
  it('requires a token', async () => {
    expect((await read(member.id, null)).status).toBe(401);
  });

  it('is for admins, and about members of the organization', async () => {
    expect((await read(member.id, member.token)).status).toBe(403);
    expect((await read(member.id, admin.token)).status).toBe(200);
    expect((await read(member.id, stranger.token)).status).toBe(404);
    expect((await read(crypto.randomUUID())).status).toBe(404);
    expect((await read('42')).status).toBe(400);
  });

  it('says what a member has, by name', async () => {
    const someone = await server.addMember('member');
    const made = await addAccess(someone);
    const { access } = (await read(someone.id)).body;
    expect(access).toEqual({
      connections: ONE('Tracker', made.integrationId),
      // The invitation, and the token that it made.
      tokens: { total: 2, items: expect.any(Array) },
      grants: ONE('Editor', made.grant.id),
      grantTokens: 2,
      consents: 1,
      sessions: { sessions: 1, leases: 1, streams: 1 },
      recentSessions: [
        expect.objectContaining({ id: made.lease, kind: 'lease', integrationName: 'Tracker' }),
        expect.objectContaining({ id: made.session, live: true, applicationName: 'Editor' }),
      ],
      groups: ONE(made.group.name, made.group.id),
      applications: {
        total: 2,
        items: [
          { id: made.open.id, name: 'Open', clientSecretConfigured: false },
          { id: made.secret.id, name: 'With a secret', clientSecretConfigured: true },
        ],
      },
      rules: EMPTY,
    });
  });

  it('calls a grant of a dynamic client by the client’s name', async () => {
    const someone = await server.addMember('member');
    const { applicationId } = await makePlace();
    const clientId = crypto.randomUUID();
    const made = { createdAt: new Date(), lastUsedAt: new Date(), redirectUris: [] };
    await server.store.db.dynamicClient.create({ data: { id: clientId, name: 'Cursor', ...made } });
    await insertGrant(server, applicationId, { userId: someone.id, clientId });
    expect((await read(someone.id)).body.access.grants).toEqual(ONE('Cursor'));
  });

  it('names at most 20 of a kind, the newest, and counts all', async () => {
    const someone = await server.addMember('member');
    for (let at = 0; at < 22; at += 1) {
      await createApplication(server, { token: someone.token, name: `Application ${at}` });
    }
    const { applications } = (await read(someone.id)).body.access;
    const names = applications.items.map(({ name }: { name: string }) => name);
    expect([applications.total, names.length, names[0]]).toEqual([22, 20, 'Application 21']);
  });

  it('counts nothing that had ended before', async () => {
    const someone = await server.addMember('member');
    const made = await addAccess(someone);
    const past = new Date(Date.now() - 1_000);
    const { db } = server.store;
    const where = { userId: someone.id };
    await db.token.updateMany({ where, data: { expiresAt: past } });
    await db.grant.updateMany({ where, data: { expiresAt: past } });
    await db.oauthToken.updateMany({
      where: { grantId: made.grant.id },
      data: { expiresAt: past },
    });
    await db.credentialLease.updateMany({ where, data: { expiresAt: past } });
    await db.session.updateMany({ where, data: { state: 'closed', endedAt: past } });
    await server.call('DELETE', `/applications/${made.open.id}`);
    const { access } = (await read(someone.id)).body;
    expect(access).toMatchObject({
      ...{ tokens: EMPTY, grants: EMPTY, grantTokens: 0, recentSessions: [] },
      sessions: { sessions: 0, leases: 0, streams: 0 },
      applications: { total: 1 },
    });
  });

  it('finds the rules that name the member, at every level, and no others', async () => {
    const someone = await server.addMember('member');
    const [of, per, attached, others] = [
      await makePlace(),
      await makePlace(),
      await makePlace(),
      await makePlace(),
    ];
    const named = { userIds: [member.id, someone.id] };
    await nameIn(of.integrationId, undefined, named);
    await nameIn(per.integrationId, undefined, { perApplication: { [per.applicationId]: named } });
    await nameIn(attached.integrationId, attached.applicationId, named);
    await nameIn(others.integrationId, others.applicationId, { userIds: [member.id] });
    await nameIn(others.integrationId, undefined, { tools: { deny: [someone.id] } });
    const { rules } = (await read(someone.id)).body.access;
    const ofIntegrations = [per, of].map(({ integrationId }) => ({
      ...{ integrationId, integrationName: 'Tracker' },
      ...{ applicationId: null, applicationName: null },
    }));
    const ofAttachment = { ...attached, integrationName: 'Tracker', applicationName: 'Editor' };
    expect(rules).toEqual({ total: 3, items: [...ofIntegrations, ofAttachment] });
  });

  it('shows nothing of anyone else', async () => {
    const someone = await server.addMember('member');
    const before = (await read(someone.id)).body;
    await addAccess(await server.addMember('member'));
    expect((await read(someone.id)).body).toEqual(before);
  });
});

describe('what ends with a member', () => {
  it('is what the receipt of the revocation counts', async () => {
    const someone = await server.addMember('member');
    await addAccess(someone);
    const { access } = (await read(someone.id)).body;
    const { revoked } = (await server.call('POST', `/members/${someone.id}/revoke-access`)).body;
    expect(revoked).toEqual({
      tokens: access.tokens.total + access.grantTokens,
      grants: access.grants.total,
      consents: access.consents,
      ...access.sessions,
    });
    expect(revoked).toEqual({
      ...{ tokens: 4, grants: 1, consents: 1, sessions: 1, leases: 1, streams: 1 },
    });
  });

  it('is what their removal ends, and names in its receipt', async () => {
    const someone = await server.addMember('member');
    await addAccess(someone);
    const { access } = (await read(someone.id)).body;
    const { db } = server.store;
    const where = { userId: someone.id };
    const counts = async () => ({
      connections: await db.connection.count({ where }),
      tokens: await db.token.count({ where }),
      grants: await db.grant.count({ where }),
      groups: await db.groupMember.count({ where }),
    });
    const { connections, tokens, grants, groups } = access;
    const totals = { connections, tokens, grants, groups };
    const shown = Object.entries(totals).map(([name, list]) => [name, list.total]);
    expect(await counts()).toEqual(Object.fromEntries(shown));
    const receipt = (await server.call('DELETE', `/members/${someone.id}`)).body;
    expect(receipt.groups).toEqual(access.groups.items);
    const secrets = access.applications.items.filter(
      ({ clientSecretConfigured }: { clientSecretConfigured: boolean }) => clientSecretConfigured,
    );
    expect(receipt.applications).toEqual(
      secrets.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    );
    expect(await counts()).toEqual({ connections: 0, tokens: 0, grants: 0, groups: 0 });
    const rows = await db.session.findMany({ where });
    expect(rows.map(({ state }) => state)).toEqual(['revoked']);
  });
});
