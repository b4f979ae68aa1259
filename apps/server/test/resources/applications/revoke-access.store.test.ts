import { describe, expect, it } from 'vitest';
import { insertConsent, insertGrant, insertOauthToken } from '../../support/grants.ts';
import { meetAt } from '../../support/meet.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  holdApplication,
  insertSession,
} from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');

const revoke = (id: string, token: string | null = server.owner, headers = {}) =>
  server.call('POST', `/applications/${id}/revoke-access`, { token, headers });

const NOTHING = { tokens: 0, grants: 0, consents: 0, sessions: 0, leases: 0, streams: 0 };
const past = () => new Date(Date.now() - 1_000);

async function makeAttached() {
  const { id } = await createApplication(server);
  const integrationId = await createIntegration(server);
  await attach(server, id, integrationId);
  return { id, integrationId };
}

/** Something of a session is in flight on another node. @param left milliseconds of its lease */
async function addPresence(sessionId: string, applicationId: string, left = 5_000) {
  const leaseUntil = new Date(Date.now() + left);
  await server.store.db.sessionPresence.create({
    data: { sessionId, applicationId, nodeId: crypto.randomUUID(), leaseUntil },
  });
}

describe('POST /applications/:id/revoke-access', () => {
  it('requires a token', async () => {
    const { id } = await createApplication(server);
    expect((await revoke(id, null)).status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    expect((await revoke(id, other.token)).status).toBe(404);
    expect((await revoke(id, member.token)).status).toBe(200);
    expect((await revoke(id, admin.token)).status).toBe(200);
  });

  it('ends tokens, grants, consents and sessions, and counts what still worked', async () => {
    const { id, integrationId } = await makeAttached();
    const [live, expired] = [
      await insertGrant(server, id),
      await insertGrant(server, id, { expiresAt: past(), userId: member.id }),
    ];
    await insertOauthToken(server, live, 'access');
    await insertOauthToken(server, live, 'refresh');
    await insertOauthToken(server, live, 'code');
    await insertOauthToken(server, live, 'access', { expiresAt: past() });
    await insertOauthToken(server, live, 'refresh', { consumedAt: past() });
    await insertOauthToken(
      server,
      { applicationId: id, organizationId: live.organizationId },
      'access',
    );
    await insertConsent(server, live);
    await insertConsent(server, expired);
    const open = await insertSession(server, id, integrationId);
    const streaming = await insertSession(server, id, integrationId, { silentFor: 40 * 3_600_000 });
    await insertSession(server, id, integrationId, { silentFor: 40 * 3_600_000 });
    await addPresence(streaming, id);
    await addPresence(open, id, -1_000);
    const { status, body } = await revoke(id);
    const revoked = { tokens: 3, grants: 1, consents: 2, sessions: 2, leases: 0, streams: 1 };
    expect([status, body]).toEqual([200, { revoked }]);
    const { db } = server.store;
    const where = { applicationId: id };
    expect(await db.oauthToken.count({ where })).toBe(0);
    expect(await db.grant.count({ where })).toBe(0);
    expect(await db.consent.count({ where })).toBe(0);
    expect(await db.session.count({ where: { ...where, state: 'open' } })).toBe(0);
    expect((await revoke(id)).body.revoked).toEqual(NOTHING);
  });

  it('leaves the application as it was: secret, attachments and version', async () => {
    const { id } = await makeAttached();
    const before = await server.call('GET', `/applications/${id}`);
    await revoke(id);
    const after = await server.call('GET', `/applications/${id}`);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  it('touches nothing of other applications', async () => {
    const { id } = await makeAttached();
    const another = await makeAttached();
    const grant = await insertGrant(server, another.id);
    await insertSession(server, another.id, another.integrationId);
    await revoke(id);
    expect(await server.store.db.grant.count({ where: { id: grant.id } })).toBe(1);
    const { revoked } = (await revoke(another.id)).body;
    expect(revoked).toEqual({ ...NOTHING, grants: 1, sessions: 1 });
  });

  it('does not know an application of another organization', async () => {
    const { applicationId } = await addForeignRows(server);
    expect((await revoke(applicationId)).status).toBe(404);
    expect((await revoke('42')).status).toBe(400);
  });

  it('works on an archived application, and finds nothing', async () => {
    const { id, integrationId } = await makeAttached();
    await insertGrant(server, id);
    await insertSession(server, id, integrationId);
    await server.call('DELETE', `/applications/${id}`);
    expect((await revoke(id)).body).toEqual({ revoked: NOTHING });
  });

  it('replays its receipt for the key, to callers who may still see the application', async () => {
    const { id } = await createApplication(server, { token: member.token });
    await insertGrant(server, id);
    const key = { 'idempotency-key': 'revoke-1' };
    const first = await revoke(id, member.token, key);
    expect(first.body.revoked.grants).toBe(1);
    expect((await revoke(id, member.token, key)).body).toEqual(first.body);
    await server.store.db.application.update({ where: { id }, data: { ownerUserId: admin.id } });
    expect((await revoke(id, member.token, key)).status).toBe(404);
  });

  it('counts each thing once, however many ask at the same time', async () => {
    const { id, integrationId } = await makeAttached();
    for (let made = 0; made < 5; made += 1) {
      const grant = await insertGrant(server, id);
      await insertOauthToken(server, grant, 'refresh');
      await insertConsent(server, grant);
      await insertSession(server, id, integrationId);
    }
    const calls = Array.from({ length: 6 }, () => () => revoke(id));
    const answers = await meetAt(server, holdApplication(id), calls);
    const receipts = answers.map(({ body }) => body.revoked);
    const all = { tokens: 5, grants: 5, consents: 5, sessions: 5, leases: 0, streams: 0 };
    expect(receipts).toContainEqual(all);
    expect(receipts.filter(({ grants }) => grants > 0)).toHaveLength(1);
  });
});
