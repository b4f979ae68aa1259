import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  insertSession,
} from '../applications/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');
let integrationId: string;

beforeAll(async () => {
  integrationId = await createIntegration(server);
});

async function attachedApplication(token = server.owner): Promise<string> {
  const { id } = await createApplication(server, { token });
  await attach(server, id, integrationId, token);
  return id;
}

const list = (id: string, query = '', token = server.owner) =>
  server.call('GET', `/applications/${id}/sessions${query}`, { token });

const revoke = (id: string, sessionId: string, token: string | null = server.owner) =>
  server.call('DELETE', `/applications/${id}/sessions/${sessionId}`, { token });

describe('GET /applications/:id/sessions', () => {
  it('requires a token', async () => {
    const id = await attachedApplication();
    const path = `/applications/${id}/sessions`;
    expect((await server.call('GET', path, { token: null })).status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const id = await attachedApplication(member.token);
    expect((await list(id, '', other.token)).status).toBe(404);
    expect((await list(id, '', member.token)).status).toBe(200);
    expect((await list(id, '', admin.token)).status).toBe(200);
  });

  it('shows a session without its secrets', async () => {
    const id = await attachedApplication();
    const sessionId = await insertSession(server, id, integrationId);
    const { body } = await list(id);
    expect(body).toEqual({
      items: [
        {
          kind: 'session',
          id: sessionId,
          integrationId,
          userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          era: 'legacy',
          state: 'open',
          live: false,
          createdAt: expect.stringMatching(/Z$/),
          lastActivityAt: expect.stringMatching(/Z$/),
          endedAt: null,
          expiresAt: null,
        },
      ],
      nextCursor: null,
    });
  });

  it('tells open sessions from those that fell silent', async () => {
    const id = await attachedApplication();
    const hour = 60 * 60_000;
    await insertSession(server, id, integrationId, { silentFor: 25 * hour });
    await insertSession(server, id, integrationId, { silentFor: hour });
    await insertSession(server, id, integrationId, { silentFor: hour, era: 'modern' });
    const { body } = await list(id);
    expect(body.items.map(({ state }: { state: string }) => state)).toEqual([
      'expired',
      'open',
      'expired',
    ]);
  });

  it('leaves expired what had expired before the application was archived', async () => {
    const id = await attachedApplication();
    const hour = 60 * 60_000;
    await insertSession(server, id, integrationId, { silentFor: 25 * hour });
    await insertSession(server, id, integrationId, { silentFor: hour });
    const streaming = await insertSession(server, id, integrationId, { silentFor: 25 * hour });
    await server.store.db.$executeRaw`
      INSERT INTO "SessionPresence" ("sessionId", "nodeId", "applicationId", "leaseUntil")
      VALUES (${streaming}::uuid, gen_random_uuid(), ${id}::uuid, now() + interval '1 minute')`;
    await server.call('DELETE', `/applications/${id}`);
    const { body } = await list(id);
    const ended = body.items.map(
      ({ state, endedAt }: { state: string; endedAt: string | null }) => [state, endedAt !== null],
    );
    expect(ended).toEqual([
      ['revoked', true],
      ['revoked', true],
      ['expired', false],
    ]);
  });

  it('pages newest first, with a cursor that is good for this application only', async () => {
    const id = await attachedApplication();
    const another = await attachedApplication();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.unshift(await insertSession(server, id, integrationId));
    const first = await list(id, '?limit=2');
    const second = await list(id, `?limit=2&cursor=${first.body.nextCursor}`);
    const items = [...first.body.items, ...second.body.items];
    expect(items.map((item: { id: string }) => item.id)).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    const elsewhere = await list(another, `?cursor=${first.body.nextCursor}`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('DELETE /applications/:id/sessions/:sessionId', () => {
  it('requires a token', async () => {
    const id = await attachedApplication();
    const sessionId = await insertSession(server, id, integrationId);
    expect((await revoke(id, sessionId, null)).status).toBe(401);
  });

  it('is for the owner of the application and for admins', async () => {
    const id = await attachedApplication(member.token);
    const sessionId = await insertSession(server, id, integrationId);
    expect((await revoke(id, sessionId, other.token)).status).toBe(404);
    expect((await revoke(id, sessionId, member.token)).status).toBe(204);
    expect((await revoke(id, sessionId, admin.token)).status).toBe(204);
  });

  it('revokes an open session, and leaves one that has ended as it is', async () => {
    const id = await attachedApplication();
    const sessionId = await insertSession(server, id, integrationId);
    const revoked = await revoke(id, sessionId);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    const before = (await list(id)).body;
    expect(before.items).toMatchObject([{ state: 'revoked', endedAt: expect.any(String) }]);
    expect((await revoke(id, sessionId)).status).toBe(204);
    expect((await list(id)).body).toEqual(before);
  });

  it('does not touch the version of the application', async () => {
    const id = await attachedApplication();
    const etag = async () => (await server.call('GET', `/applications/${id}`)).headers.get('etag');
    const before = await etag();
    await revoke(id, await insertSession(server, id, integrationId));
    expect(await etag()).toBe(before);
  });

  it('does not know a session of another application or organization', async () => {
    const id = await attachedApplication();
    const elsewhere = await insertSession(server, await attachedApplication(), integrationId);
    const foreign = await addForeignRows(server);
    expect((await revoke(id, elsewhere)).status).toBe(404);
    expect((await revoke(id, foreign.sessionId)).status).toBe(404);
    expect((await revoke(foreign.applicationId, foreign.sessionId)).status).toBe(404);
    expect((await revoke(id, '42')).status).toBe(400);
  });
});
