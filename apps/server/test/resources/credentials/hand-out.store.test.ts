import { describe, expect, it } from 'vitest';
import type { Db } from '../../../src/platform/database/store.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { meetAt } from '../../support/meet.ts';
import { useServer } from '../../support/server.ts';
import { addWorker, connect, tokenForItself, tokenForPerson, type Worker } from './support.ts';

const lines: string[] = [];
const log = createLogger('info', { write: (line) => void lines.push(line) });
const server = useServer({}, log);

/** A worker, with a person who has connected and agreed. */
async function ready(fields: Readonly<Record<string, unknown>> = {}) {
  const worker = await addWorker(server, fields);
  await connect(server, worker);
  return { worker, ...(await tokenForPerson(server, worker)) };
}

const post = ({ path }: Worker, token: string | null) => server.call('POST', path, { token });

const codeOf = async (worker: Worker, token: string | null) => {
  const { status, body } = await post(worker, token);
  return [status, body.code ?? Object.keys(body)];
};

const HANDED_OUT = [200, ['credential', 'lease']];

const leasesOf = async ({ applicationId }: Worker) => {
  const { body } = await server.call('GET', `/applications/${applicationId}/sessions`);
  return body.items;
};

describe('the credential of a credential-only integration', () => {
  it('requires a token', async () => {
    const worker = await addWorker(server);
    expect(await codeOf(worker, null)).toEqual([401, 'unauthenticated']);
    expect(await codeOf(worker, `gh_at_${'x'.repeat(43)}`)).toEqual([401, 'unauthenticated']);
  });

  it('is not for personal tokens, whoever has them', async () => {
    const { worker } = await ready();
    const member = await server.addMember('member');
    for (const token of [server.owner, member.token]) {
      expect(await codeOf(worker, token)).toEqual([403, 'forbidden']);
    }
  });

  it('is handed out with a lease of five minutes, which is among the sessions', async () => {
    const { worker, token } = await ready();
    const before = Date.now();
    const { status, body, headers } = await post(worker, token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      credential: {
        headers: [{ name: 'authorization', value: 'Bearer secret-of-the-person' }],
        token: 'secret-of-the-person',
      },
      lease: { id: expect.any(String), expiresAt: expect.any(String) },
    });
    const lasts = Date.parse(body.lease.expiresAt) - before;
    expect(Math.abs(lasts - 300_000)).toBeLessThan(5_000);
    const [lease] = await leasesOf(worker);
    const { ownerUserId } = await server.store.db.application.findUniqueOrThrow({
      where: { id: worker.applicationId },
    });
    expect(lease).toEqual({
      kind: 'lease',
      ...{ id: body.lease.id, integrationId: worker.integrationId, userId: ownerUserId },
      ...{ era: 'modern', state: 'open', live: false },
      ...{ createdAt: expect.any(String), lastActivityAt: lease.createdAt },
      ...{ endedAt: null, expiresAt: body.lease.expiresAt },
    });
  });

  it('has the headers of the credential schema, and the fields as they were entered', async () => {
    const properties = {
      key: { type: 'string', 'x-header': 'X-Api-Key' },
      tenant: { type: 'integer', 'x-header': 'X-Tenant' },
      note: { type: 'string' },
    };
    const worker = await addWorker(server, { credentialSchema: { type: 'object', properties } });
    const fields = { key: 'k', tenant: 7, note: 'stays here' };
    await connect(server, worker, { fields });
    const { token } = await tokenForPerson(server, worker);
    expect((await post(worker, token)).body.credential).toEqual({
      headers: [
        { name: 'x-api-key', value: 'k' },
        { name: 'x-tenant', value: '7' },
      ],
      fields,
    });
  });

  it('is each person’s own', async () => {
    const { worker } = await ready();
    const member = await server.addMember('member');
    const grant = { userId: member.id };
    const { token } = await tokenForPerson(server, worker, { grant });
    const refused = await post(worker, token);
    expect([refused.status, refused.body.code]).toEqual([409, 'connection_required']);
    expect(refused.body.connectUrl).toBe(
      `${server.origin}/connect?integration=${worker.integrationId}`,
    );
    await connect(server, worker, { token: 'of-the-member' }, member.token);
    expect((await post(worker, token)).body.credential.token).toBe('of-the-member');
  });

  it('is the server token for an application that acts for itself, and for no person', async () => {
    const worker = await addWorker(server, { authMode: 'server_token', serverToken: 'shared' });
    const itself = await tokenForItself(server, worker);
    const { token } = await tokenForPerson(server, worker);
    expect(await codeOf(worker, token)).toEqual([403, 'forbidden']);
    expect((await post(worker, itself)).body.credential.token).toBe('shared');
    expect(await leasesOf(worker)).toMatchObject([{ kind: 'lease', userId: null }]);
  });

  it('of a person is not for an application that acts for itself', async () => {
    const { worker } = await ready();
    expect(await codeOf(worker, await tokenForItself(server, worker))).toEqual([403, 'forbidden']);
  });

  it('is not that of a proxied integration, nor one that does not exist', async () => {
    const proxied = await ready({ category: 'gateway_remote_mcp' });
    expect(await codeOf(proxied.worker, proxied.token)).toEqual([409, 'not_credential_only']);
    const without = await addWorker(server, { authMode: 'none' });
    const { token } = await tokenForPerson(server, without);
    expect(await codeOf(without, token)).toEqual([409, 'auth_mode_mismatch']);
    const missing = await addWorker(server, { authMode: 'server_token', serverToken: 'a' });
    const { integrationId } = missing;
    await server.store.db.integrationSecret.deleteMany({ where: { integrationId } });
    const itself = await tokenForItself(server, missing);
    expect(await codeOf(missing, itself)).toEqual([409, 'integration_misconfigured']);
  });

  it('is only for a token of that application, with the scope', async () => {
    const { worker } = await ready();
    const other = await ready();
    expect(await codeOf(worker, other.token)).toEqual([401, 'unauthenticated']);
    const audience = `${server.origin}/mcp/${worker.applicationId}`;
    const pair = { audience: `${audience}/${worker.integrationId}` };
    const elsewhere = { audience: `${audience}/${other.worker.integrationId}` };
    const management = { audience: `${server.origin}/api/v1` };
    const codeWith = async (fields: { audience?: string; scopes?: string[] }) =>
      codeOf(worker, (await tokenForPerson(server, worker, fields)).token);
    expect(await codeWith(pair)).toEqual(HANDED_OUT);
    expect(await codeWith(elsewhere)).toEqual([401, 'unauthenticated']);
    expect(await codeWith(management)).toEqual([401, 'unauthenticated']);
    const { token } = await tokenForPerson(server, worker, { scopes: ['mcp'] });
    const refused = await post(worker, token);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp/${worker.applicationId}", scope="credentials"`,
    );
  });

  it('is not for another client of the application, nor for a public one', async () => {
    const { worker } = await ready();
    const grant = { clientId: 'https://dynamic.example.com/client.json' };
    const dynamic = await tokenForPerson(server, worker, { grant });
    expect(await codeOf(worker, dynamic.token)).toEqual([403, 'forbidden']);
    const { token } = await tokenForPerson(server, worker);
    const oauth = `/applications/${worker.applicationId}/oauth`;
    expect((await server.call('PATCH', oauth, { body: { type: 'public' } })).status).toBe(200);
    expect(await codeOf(worker, token)).toEqual([403, 'forbidden']);
  });

  it('needs the person’s consent to what was attached later', async () => {
    const { worker } = await ready();
    const grant = { integrationIds: [] };
    const { token } = await tokenForPerson(server, worker, { grant });
    expect(await codeOf(worker, token)).toEqual([403, 'forbidden']);
  });
});

describe('rules about people', () => {
  it('of the attachment, of the integration and of it for one application bind hand-outs', async () => {
    const { worker, token } = await ready();
    const { applicationId, integrationId } = worker;
    const ofAttachment = `/applications/${applicationId}/integrations/${integrationId}/policy`;
    const ofIntegration = `/integrations/${integrationId}/policy`;
    for (const [path, body, level] of [
      [ofAttachment, { roles: ['member'] }, 'attachment'],
      [ofIntegration, { userIds: [] }, 'integration'],
      [ofIntegration, { perApplication: { [applicationId]: { groups: [] } } }, 'application'],
    ] as const) {
      expect((await server.call('PUT', path, { body })).status).toBe(200);
      const refused = await post(worker, token);
      expect([refused.status, refused.body.code]).toEqual([403, 'policy_refused']);
      expect(refused.body.reasons).toMatchObject([{ level }]);
      expect(lines.findLast((line) => line.includes('refused by policy'))).toMatch(
        new RegExp(
          `"requestId":"${refused.headers.get('x-request-id')}".*${integrationId}.*"${level}: `,
        ),
      );
      expect((await server.call('PUT', path, { body: {} })).status).toBe(200);
    }
    const names = { tools: { allow: [] } };
    expect((await server.call('PUT', ofAttachment, { body: names })).status).toBe(200);
    expect(await codeOf(worker, token)).toEqual(HANDED_OUT);
    expect(await leasesOf(worker)).toHaveLength(1);
  });

  it('refuse an application that acts for itself', async () => {
    const worker = await addWorker(server, { authMode: 'server_token', serverToken: 'shared' });
    const path = `/integrations/${worker.integrationId}/policy`;
    await server.call('PUT', path, { body: { roles: ['owner', 'admin', 'member'] } });
    expect(await codeOf(worker, await tokenForItself(server, worker))).toEqual([
      403,
      'policy_refused',
    ]);
  });

  it('that come while the credential is read bind it', async () => {
    const { worker, token } = await ready();
    const { organizationId, integrationId } = worker;
    const restrict = async (db: Db) => {
      await db.$queryRaw`
        SELECT 1 FROM "Integration" WHERE "id" = ${integrationId}::uuid FOR UPDATE`;
      const data = { integrationId, organizationId, rules: { userIds: [] }, groupIds: [] };
      await db.integrationPolicy.create({ data });
    };
    const [answer] = await meetAt(server, restrict, [() => post(worker, token)]);
    expect([answer?.status, answer?.body.code]).toEqual([403, 'policy_refused']);
    expect(await leasesOf(worker)).toEqual([]);
  });
});

describe('a lease', () => {
  it('counts as an active session while it lasts, and in no other counter', async () => {
    const { worker, token } = await ready();
    const countsOf = async () => {
      const { application } = (await server.call('GET', `/applications/${worker.applicationId}`))
        .body;
      const { activeSessionCount, idleSessionCount, liveSessionCount } = application;
      return [
        activeSessionCount,
        idleSessionCount,
        liveSessionCount,
        application.totalSessionCount,
      ];
    };
    await post(worker, token);
    await post(worker, token);
    expect(await countsOf()).toEqual([2, 0, 0, 0]);
    await server.store.db.$executeRaw`
      UPDATE "CredentialLease" SET "expiresAt" = now()
      WHERE "applicationId" = ${worker.applicationId}::uuid`;
    expect(await countsOf()).toEqual([0, 0, 0, 0]);
    expect(await leasesOf(worker)).toMatchObject([{ state: 'expired' }, { state: 'expired' }]);
  });

  it('is no longer than the credential', async () => {
    const { worker, token } = await ready();
    const soon = new Date(Date.now() + 120_000);
    const ofWorker = { integrationId: worker.integrationId };
    const { db } = server.store;
    await db.connection.updateMany({ where: ofWorker, data: { expiresAt: soon } });
    const { body } = await post(worker, token);
    expect(body.lease.expiresAt).toBe(soon.toISOString());
    expect(body.credential.expiresAt).toBe(soon.toISOString());
    const almost = new Date(Date.now() + 30_000);
    await db.connection.updateMany({ where: ofWorker, data: { expiresAt: almost } });
    expect(await codeOf(worker, token)).toEqual([409, 'connection_required']);
  });

  it('that is revoked by itself keeps its grant from the next one for a while', async () => {
    const { worker, token } = await ready();
    const { id } = (await post(worker, token)).body.lease;
    const session = `/applications/${worker.applicationId}/sessions/${id}`;
    expect((await server.call('DELETE', session)).status).toBe(204);
    expect((await server.call('DELETE', session)).status).toBe(204);
    expect(await leasesOf(worker)).toMatchObject([
      { id, state: 'revoked', endedAt: expect.any(String) },
    ]);
    const refused = await post(worker, token);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_700);
    const { token: another } = await tokenForPerson(server, worker);
    expect(await codeOf(worker, another)).toEqual(HANDED_OUT);
  });
});

describe('nothing is handed out, and the lease has ended, after', () => {
  const application = ({ applicationId }: Worker) => `/applications/${applicationId}`;
  const endings: Readonly<Record<string, (worker: Worker, grantId: string) => [string, string]>> = {
    'the application was archived': (worker) => ['DELETE', application(worker)],
    'the integration was archived': ({ integrationId }) => [
      'DELETE',
      `/integrations/${integrationId}`,
    ],
    'it was detached': (worker) => [
      'DELETE',
      `${application(worker)}/integrations/${worker.integrationId}`,
    ],
    'its access was revoked': (worker) => ['POST', `${application(worker)}/revoke-access`],
    'the grant was ended': (_worker, grantId) => ['DELETE', `/grants/${grantId}`],
    'the person has disconnected': ({ integrationId }) => [
      'DELETE',
      `/integrations/${integrationId}/connection`,
    ],
  };

  it.each(Object.entries(endings))('%s', async (_name, requestOf) => {
    const { worker, token, grant } = await ready();
    expect(await codeOf(worker, token)).toEqual(HANDED_OUT);
    const [method, path] = requestOf(worker, grant.id);
    expect((await server.call(method, path)).status).toBeLessThan(300);
    expect((await post(worker, token)).status).toBeGreaterThanOrEqual(400);
    expect(await leasesOf(worker)).toMatchObject([{ state: 'revoked' }]);
  });

  it('the member was removed', async () => {
    const worker = await addWorker(server);
    const member = await server.addMember('member');
    await connect(server, worker, { token: 'of-the-member' }, member.token);
    const { token } = await tokenForPerson(server, worker, { grant: { userId: member.id } });
    expect(await codeOf(worker, token)).toEqual(HANDED_OUT);
    await server.call('DELETE', `/members/${member.id}`);
    expect(await codeOf(worker, token)).toEqual([401, 'unauthenticated']);
    expect(await leasesOf(worker)).toMatchObject([{ state: 'revoked' }]);
  });

  it.each([
    [
      'the connection',
      (db, { integrationId }) => db.connection.deleteMany({ where: { integrationId } }),
    ],
    [
      'the attachment',
      (db, { integrationId }) => db.attachment.deleteMany({ where: { integrationId } }),
    ],
    ['the grant', (db, { applicationId }) => db.grant.deleteMany({ where: { applicationId } })],
  ] satisfies [string, (db: Db, worker: Worker) => Promise<unknown>][])(
    '%s was removed while the credential was read',
    async (_name, remove) => {
      const { worker, token } = await ready();
      const [answer] = await meetAt(server, (db) => remove(db, worker), [
        () => post(worker, token),
      ]);
      expect(answer?.status).toBeGreaterThanOrEqual(400);
      expect(answer?.status).toBeLessThan(500);
      expect(await leasesOf(worker)).toEqual([]);
    },
  );

  it('revoked access, which the receipt counts once', async () => {
    const { worker, token } = await ready();
    await post(worker, token);
    await post(worker, token);
    const path = `/applications/${worker.applicationId}/revoke-access`;
    expect((await server.call('POST', path)).body.revoked).toMatchObject({ leases: 2, grants: 1 });
    expect((await server.call('POST', path)).body.revoked).toMatchObject({ leases: 0, grants: 0 });
  });
});
