import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import {
  createIntegration,
  openSession,
  problemOf,
  readIntegration,
  sessionState,
} from '../integrations/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const disconnected = { connected: false, status: 'disconnected' };
const connected = { connected: true, status: 'connected' };
const outdated = { ...disconnected, reason: 'needs_reauth' };

const set = (id: string, body: unknown, options = {}) =>
  server.call('POST', `/integrations/${id}/connection`, { body, ...options });
const get = (id: string, options = {}) =>
  server.call('GET', `/integrations/${id}/connection`, options);
const remove = (id: string, options = {}) =>
  server.call('DELETE', `/integrations/${id}/connection`, options);
const patch = (id: string, body: unknown) => server.call('PATCH', `/integrations/${id}`, { body });
const userTokenIntegration = (extra = {}) =>
  createIntegration(server, { authMode: 'user_token', ...extra });

describe('POST /integrations/:id/connection', () => {
  it('requires a token', async () => {
    const { id } = await userTokenIntegration();
    expect((await set(id, { token: 'x' }, { token: null })).status).toBe(401);
  });

  it('is for every role of the organization', async () => {
    const { id } = await userTokenIntegration();
    for (const token of [server.owner, admin.token, member.token]) {
      expect((await set(id, { token: 'x' }, { token })).status).toBe(200);
    }
    expect(problemOf(await set(id, { token: 'x' }, { token: stranger.token })).code).toBe(
      'not_found',
    );
  });

  it('connects the caller alone, and seals the token', async () => {
    const { id } = await userTokenIntegration();
    const answer = await set(id, { token: 'a-very-secret-token' }, { token: member.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ connection: connected });
    expect((await get(id, { token: member.token })).body.connection).toStrictEqual(connected);
    expect((await get(id)).body.connection).toStrictEqual(disconnected);
    const rows = await server.store.db.connection.findMany({ where: { integrationId: id } });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.destination).toBe('https://mcp.example.com');
    expect(Buffer.from(rows[0]?.sealed ?? '').includes('a-very-secret-token')).toBe(false);
  });

  it('replaces the first credential with the second, and clears the reason recorded for it', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'first' });
    const where = { integrationId: id };
    const { db } = server.store;
    const [first] = await db.connection.findMany({ where });
    await db.connection.updateMany({ where, data: { reason: 'rejected_upstream' } });
    expect((await get(id)).body.connection).toStrictEqual({
      ...connected,
      reason: 'rejected_upstream',
    });
    expect((await set(id, { token: 'second' })).body.connection).toStrictEqual(connected);
    const [second, ...more] = await db.connection.findMany({ where });
    expect(more).toStrictEqual([]);
    expect(second?.id).not.toBe(first?.id);
  });

  it('does not touch the integration’s version', async () => {
    const { id, updatedAt } = await userTokenIntegration();
    await set(id, { token: 'x' });
    const read = await server.call('GET', `/integrations/${id}`);
    expect(read.headers.get('etag')).toBe('"v1"');
    expect(read.body.integration.updatedAt).toBe(updatedAt);
  });

  it('is refused in every other mode', async () => {
    for (const authMode of ['none', 'oauth', 'server_token'] as const) {
      const { id } = await createIntegration(server, { authMode, serverToken: 'shared' });
      expect(problemOf(await set(id, { token: 'x' }))).toMatchObject({
        status: 409,
        code: 'auth_mode_mismatch',
      });
    }
  });

  it('takes exactly one of token and fields', async () => {
    const { id } = await userTokenIntegration({
      credentialSchema: { properties: { token: { type: 'string' } } },
    });
    for (const body of [{}, { token: 'x', fields: { token: 'x' } }, undefined, { token: 'a\nb' }]) {
      expect((await set(id, body)).status).toBe(400);
    }
    expect((await set(id, { fields: { token: 'x' } })).status).toBe(200);
  });

  it('checks fields by the credential schema, and needs one for them', async () => {
    const plain = await userTokenIntegration();
    expect(problemOf(await set(plain.id, { fields: { key: 'x' } })).at).toStrictEqual(['/fields']);
    const { id } = await userTokenIntegration({
      credentialSchema: {
        properties: {
          user: { type: 'string', 'x-header': 'X-User' },
          key: { type: 'string', minLength: 3, 'x-header': 'X-Key' },
        },
        required: ['user', 'key'],
        additionalProperties: false,
      },
    });
    expect(problemOf(await set(id, { token: 'x' }))).toMatchObject({
      status: 400,
      at: ['/fields'],
    });
    expect(problemOf(await set(id, { fields: { user: 'a', key: 'b' } }))).toMatchObject({
      status: 400,
      at: ['/fields/key'],
    });
    expect((await set(id, { fields: { user: 'a', key: 'bcd' } })).status).toBe(200);
  });

  it('stores one credential for one Idempotency-Key', async () => {
    const { id } = await userTokenIntegration();
    const headers = { 'idempotency-key': 'connect-1' };
    await set(id, { token: 'x' }, { headers });
    await remove(id);
    expect((await set(id, { token: 'x' }, { headers })).body.connection).toStrictEqual(connected);
    expect((await get(id)).body.connection).toStrictEqual(disconnected);
    expect((await set(id, { token: 'y' }, { headers })).status).toBe(422);
  });
});

describe('GET /integrations/:id/connection', () => {
  it('requires a token', async () => {
    const { id } = await userTokenIntegration();
    expect((await get(id, { token: null })).status).toBe(401);
  });

  it('is 200 in every mode, and 404 for a stranger', async () => {
    for (const authMode of ['none', 'oauth', 'server_token', 'user_token'] as const) {
      const { id } = await createIntegration(server, { authMode, serverToken: 'shared' });
      const answer = await get(id, { token: member.token });
      expect([answer.status, answer.body]).toStrictEqual([200, { connection: disconnected }]);
    }
    const { id } = await userTokenIntegration();
    expect((await get(id, { token: stranger.token })).status).toBe(404);
  });

  it('asks for a new credential when it was entered for another origin, until that returns', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    await patch(id, { url: 'https://mcp.example.com/deeper' });
    expect((await get(id)).body.connection).toStrictEqual(connected);
    await patch(id, { url: 'https://elsewhere.example.com/' });
    expect((await get(id)).body.connection).toStrictEqual(outdated);
    expect((await readIntegration(server, id)).userConnection).toStrictEqual(outdated);
    await patch(id, { url: 'https://mcp.example.com/' });
    expect((await get(id)).body.connection).toStrictEqual(connected);
  });

  it('asks for a new credential when it was entered for another mode', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    await patch(id, { authMode: 'oauth' });
    expect((await get(id)).body.connection).toStrictEqual(outdated);
    await patch(id, { authMode: 'user_token' });
    expect((await get(id)).body.connection).toStrictEqual(connected);
  });

  it('agrees with userConnection, which stands there only for user_token and oauth', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    expect((await readIntegration(server, id)).userConnection).toStrictEqual(connected);
    await patch(id, { authMode: 'none' });
    expect(await readIntegration(server, id)).not.toHaveProperty('userConnection');
    await patch(id, { authMode: 'server_token', serverToken: 'shared' });
    expect(await readIntegration(server, id)).not.toHaveProperty('userConnection');
  });

  it('says when a credential has expired, and stays connected', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    const expiresAt = new Date('2026-01-01T00:00:00Z');
    await server.store.db.connection.updateMany({
      where: { integrationId: id },
      data: { expiresAt },
    });
    expect((await get(id)).body.connection).toStrictEqual({
      ...connected,
      reason: 'expired',
      expiresAt: '2026-01-01T00:00:00.000Z',
    });
  });
});

describe('DELETE /integrations/:id/connection', () => {
  it('requires a token', async () => {
    const { id } = await userTokenIntegration();
    expect((await remove(id, { token: null })).status).toBe(401);
  });

  it('removes the caller’s own credential, and is also 204 without one', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    await set(id, { token: 'y' }, { token: member.token });
    for (let i = 0; i < 2; i += 1) {
      const answer = await remove(id);
      expect([answer.status, answer.text]).toStrictEqual([204, '']);
    }
    expect((await get(id)).body.connection).toStrictEqual(disconnected);
    expect((await get(id, { token: member.token })).body.connection).toStrictEqual(connected);
    expect((await remove(id, { token: stranger.token })).status).toBe(404);
  });

  it('ends the caller’s sessions on the integration', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    await set(id, { token: 'y' }, { token: member.token });
    const session = await openSession(server, id);
    await remove(id, { token: member.token });
    expect(await sessionState(server, session)).toBe('open');
    await remove(id);
    expect(await sessionState(server, session)).toBe('revoked');
  });

  it('works on an archived integration', async () => {
    const { id } = await userTokenIntegration();
    await set(id, { token: 'x' });
    await server.call('DELETE', `/integrations/${id}`);
    expect((await remove(id)).status).toBe(204);
    expect((await get(id)).body.connection).toStrictEqual(disconnected);
  });
});
