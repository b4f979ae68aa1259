import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { meetAt } from '../../support/meet.ts';
import { type Called, useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
  createIntegrations,
  holdApplication,
  insertSession,
} from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const other = useMember(server, 'member');
let a: string;
let b: string;
let c: string;
let archived: string;

beforeAll(async () => {
  [a = '', b = '', c = '', archived = ''] = await createIntegrations(server, 4);
  await server.call('DELETE', `/integrations/${archived}`);
});

const unknown = '00000000-0000-4000-8000-000000000000';

const put = (id: string, integrationIds: unknown, headers: Record<string, string> = {}) =>
  server.call('PUT', `/applications/${id}/integrations`, { body: { integrationIds }, headers });

const detach = (id: string, integrationId: string, headers: Record<string, string> = {}) =>
  server.call('DELETE', `/applications/${id}/integrations/${integrationId}`, { headers });

async function attached(id: string): Promise<string[]> {
  const { body } = await server.call('GET', `/applications/${id}/integrations`);
  return body.integrationIds;
}

async function version(id: string): Promise<string | null> {
  return (await server.call('GET', `/applications/${id}`)).headers.get('etag');
}

/** An application with these integrations attached, at version 2. */
async function applicationWith(...integrationIds: string[]): Promise<string> {
  const { id } = await createApplication(server);
  await put(id, integrationIds);
  return id;
}

describe('the attachments of an application', () => {
  it('require a token', async () => {
    const { id } = await createApplication(server);
    const path = `/applications/${id}/integrations`;
    for (const [method, target] of [
      ['GET', path],
      ['PUT', path],
      ['POST', `${path}/${a}`],
      ['DELETE', `${path}/${a}`],
    ] as const) {
      expect((await server.call(method, target, { token: null })).status).toBe(401);
    }
  });

  it('are for the owner of the application and for admins', async () => {
    const { id } = await createApplication(server, { token: member.token });
    const path = `/applications/${id}/integrations`;
    const statuses = async (token: string) => [
      (await server.call('GET', path, { token })).status,
      (await server.call('PUT', path, { token, body: { integrationIds: [a] } })).status,
      (await server.call('POST', `${path}/${b}`, { token })).status,
      (await server.call('DELETE', `${path}/${b}`, { token })).status,
    ];
    expect(await statuses(other.token)).toEqual([404, 404, 404, 404]);
    expect(await statuses(member.token)).toEqual([200, 200, 204, 204]);
    expect(await statuses(admin.token)).toEqual([200, 200, 204, 204]);
  });
});

describe('PUT /applications/:id/integrations', () => {
  it('replaces the whole set', async () => {
    const id = await applicationWith(a, b);
    const { status, headers, body } = await put(id, [c, b]);
    expect(status).toBe(200);
    expect(body).toEqual({ integrationIds: [b, c] });
    expect(headers.get('etag')).toBe('"v3"');
    const read = await server.call('GET', `/applications/${id}/integrations`);
    expect(read.body).toEqual(body);
    expect(read.headers.get('etag')).toBe('"v3"');
    expect((await put(id, [])).body).toEqual({ integrationIds: [] });
  });

  it('collapses duplicates and accepts upper case', async () => {
    const id = await applicationWith(a, a.toUpperCase(), b, a);
    expect(await attached(id)).toEqual([a, b]);
  });

  it('leaves the version, and attachments with their sessions, when the set stays', async () => {
    const id = await applicationWith(a, b);
    await insertSession(server, id, a);
    const { headers } = await put(id, [b, a]);
    expect(headers.get('etag')).toBe('"v2"');
    const { body } = await server.call('GET', `/applications/${id}`);
    expect(body.application.activeSessionCount).toBe(1);
  });

  it('names every id that cannot be attached, and changes nothing', async () => {
    const { integrationId: foreign } = await addForeignRows(server);
    const id = await applicationWith(a);
    const refused = await put(id, [b, unknown, b, archived, foreign]);
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('validation_failed');
    expect(refused.body.errors).toEqual([
      { pointer: '/integrationIds/1', code: 'not_found', message: expect.any(String) },
      { pointer: '/integrationIds/3', code: 'archived', message: expect.any(String) },
      { pointer: '/integrationIds/4', code: 'not_found', message: expect.any(String) },
    ]);
    expect(await attached(id)).toEqual([a]);
    expect(await version(id)).toBe('"v2"');
  });

  it('keeps an archived integration that is attached already', async () => {
    const integrationId = await createIntegration(server);
    const id = await applicationWith(integrationId);
    await server.call('DELETE', `/integrations/${integrationId}`);
    expect((await put(id, [integrationId, a])).status).toBe(200);
    expect(await attached(id)).toEqual([integrationId, a]);
    await put(id, [a]);
    expect((await put(id, [integrationId, a])).status).toBe(400);
  });

  it.each([
    ['/integrationIds', undefined],
    ['/integrationIds', null],
    ['/integrationIds/1', [unknown, '42']],
    ['/integrationIds', Array.from({ length: 501 }, () => randomUUID())],
  ])('refuses a wrong %s', async (pointer, integrationIds) => {
    const { id } = await createApplication(server);
    const refused = await put(id, integrationIds);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ pointer }]);
  });

  it('refuses a version that is not the present one', async () => {
    const id = await applicationWith(a);
    expect((await put(id, [b], { 'if-match': '"v1"' })).status).toBe(412);
    expect((await put(id, [b], { 'if-match': '"v2"' })).status).toBe(200);
  });
});

describe('POST /applications/:id/integrations/:integrationId', () => {
  it('attaches without a body, and changes nothing the second time', async () => {
    const { id } = await createApplication(server);
    const first = await attach(server, id, a);
    expect([first.status, first.text, first.headers.get('etag')]).toEqual([204, '', '"v2"']);
    const [before] = (await server.call('GET', `/applications/${id}`)).body.application
      .integrations;
    const second = await attach(server, id, a);
    expect([second.status, second.headers.get('etag')]).toEqual([204, '"v2"']);
    const [after] = (await server.call('GET', `/applications/${id}`)).body.application.integrations;
    expect(after).toEqual(before);
  });

  it('does not know unknown or foreign integrations', async () => {
    const { integrationId: foreign } = await addForeignRows(server);
    const { id } = await createApplication(server);
    expect((await attach(server, id, unknown)).status).toBe(404);
    expect((await attach(server, id, foreign)).status).toBe(404);
    expect((await attach(server, id, '42')).status).toBe(400);
  });

  it('refuses an archived integration, unless it is attached already', async () => {
    const { id } = await createApplication(server);
    const refused = await attach(server, id, archived);
    expect([refused.status, refused.body.code]).toEqual([409, 'archived']);
    const integrationId = await createIntegration(server);
    await attach(server, id, integrationId);
    await server.call('DELETE', `/integrations/${integrationId}`);
    expect((await attach(server, id, integrationId)).status).toBe(204);
  });

  it('replays an Idempotency-Key instead of attaching again', async () => {
    const { id } = await createApplication(server);
    const headers = { 'idempotency-key': 'attach-1' };
    const path = `/applications/${id}/integrations/${a}`;
    expect((await server.call('POST', path, { headers })).status).toBe(204);
    await detach(id, a);
    const replayed = await server.call('POST', path, { headers });
    expect([replayed.status, replayed.text]).toEqual([204, '']);
    expect(await attached(id)).toEqual([]);
  });

  it('refuses the 501st integration', async () => {
    const { id, ownerUserId } = await createApplication(server);
    const { organizationId } = await server.store.db.user.findUniqueOrThrow({
      where: { id: ownerUserId },
    });
    await server.store.db.$executeRaw`
      WITH made AS (
        INSERT INTO "Integration" ("id", "organizationId", "name", "url", "category", "authMode", "createdAt", "updatedAt")
        SELECT gen_random_uuid(), ${organizationId}::uuid, 'Many', 'https://many.example.com',
          'gateway_remote_mcp', 'none', now(), now() FROM generate_series(1, 500)
        RETURNING "id"
      )
      INSERT INTO "Attachment" ("id", "organizationId", "applicationId", "integrationId", "createdAt")
      SELECT gen_random_uuid(), ${organizationId}::uuid, ${id}::uuid, "id", now() FROM made`;
    const refused = await attach(server, id, a);
    expect([refused.status, refused.body.code]).toEqual([409, 'attachment_limit_reached']);
    expect((await put(id, [a])).body).toEqual({ integrationIds: [a] });
  });
});

describe('DELETE /applications/:id/integrations/:integrationId', () => {
  it('detaches without a body, and changes nothing the second time', async () => {
    const id = await applicationWith(a, b);
    const first = await detach(id, a);
    expect([first.status, first.text]).toEqual([204, '']);
    expect(await attached(id)).toEqual([b]);
    expect((await detach(id, a)).status).toBe(204);
    expect(await version(id)).toBe('"v3"');
  });

  it('does not know unknown or foreign integrations', async () => {
    const { integrationId: foreign } = await addForeignRows(server);
    const { id } = await createApplication(server);
    expect((await detach(id, unknown)).status).toBe(404);
    expect((await detach(id, foreign)).status).toBe(404);
  });

  it('permanently revokes the sessions of only that attachment', async () => {
    const id = await applicationWith(a, b);
    const gone = await insertSession(server, id, a);
    const kept = await insertSession(server, id, b);
    await detach(id, a);
    await attach(server, id, a);
    const states = await server.store.db.session.findMany({
      where: { applicationId: id },
      select: { id: true, state: true },
      orderBy: { id: 'asc' },
    });
    expect(states).toEqual([
      { id: gone, state: 'revoked' },
      { id: kept, state: 'open' },
    ]);
  });

  it('refuses a version that is not the present one', async () => {
    const id = await applicationWith(a);
    expect((await detach(id, a, { 'if-match': '"v1"' })).status).toBe(412);
    expect(await attached(id)).toEqual([a]);
    expect((await detach(id, a, { 'if-match': '"v2"' })).status).toBe(204);
  });
});

describe('several changes at once', () => {
  it('all count when they do not touch each other', async () => {
    const { id } = await createApplication(server);
    const integrationIds = await createIntegrations(server, 5);
    const each = (call: (integrationId: string) => Promise<Called>) =>
      meetAt(
        server,
        holdApplication(id),
        integrationIds.map((integrationId) => () => call(integrationId)),
      );
    await each((integrationId) => attach(server, id, integrationId));
    expect((await attached(id)).sort()).toEqual([...integrationIds].sort());
    expect(await version(id)).toBe('"v6"');
    await each((integrationId) => detach(id, integrationId));
    expect(await attached(id)).toEqual([]);
    expect(await version(id)).toBe('"v11"');
  });

  it('attach one integration once', async () => {
    const { id } = await createApplication(server);
    const call = () => attach(server, id, a);
    const answers = await meetAt(server, holdApplication(id), [call, call, call]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await version(id)).toBe('"v2"');
  });

  it('end as some order of them', async () => {
    type Change = (set: readonly string[]) => string[];
    const changes: Change[] = [() => [b], () => [c], (set) => [...set, a]];
    const outcomes = permutations(changes).map((order) =>
      order.reduce<string[]>((set, change) => change(set), [a]).sort(),
    );
    const id = await applicationWith(a);
    await meetAt<unknown>(server, holdApplication(id), [
      () => put(id, [b]),
      () => put(id, [c]),
      () => attach(server, id, a),
    ]);
    expect(outcomes).toContainEqual((await attached(id)).sort());
  });

  it('let one of those win that name the same version', async () => {
    const id = await applicationWith(a);
    const headers = { 'if-match': '"v2"' };
    const answers = await meetAt(server, holdApplication(id), [
      () => put(id, [b], headers),
      () => put(id, [c], headers),
      () => detach(id, a, headers),
    ]);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(2);
    expect(await version(id)).toBe('"v3"');
  });

  it('never attach an integration that is being archived', async () => {
    const integrationId = await createIntegration(server);
    const first = await createApplication(server);
    const second = await createApplication(server);
    const archivedAt = new Date();
    const answers = await meetAt(
      server,
      (db) => db.integration.update({ where: { id: integrationId }, data: { archivedAt } }),
      [() => attach(server, first.id, integrationId), () => put(second.id, [integrationId])],
    );
    expect(answers.map(({ status }) => status)).toEqual([409, 400]);
    expect([...(await attached(first.id)), ...(await attached(second.id))]).toEqual([]);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
