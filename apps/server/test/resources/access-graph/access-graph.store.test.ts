import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/platform/database/store.ts';
import { addOrganization } from '../../support/organization.ts';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import {
  addForeignRows,
  attach,
  createApplication,
  createIntegration,
} from '../applications/support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');

const graph = (query = '', token = server.owner) =>
  server.call('GET', `/applications/access-graph${query}`, { token });

describe('GET /applications/access-graph', () => {
  beforeEach(async () => {
    await server.store.db.application.deleteMany();
    await server.store.db.integration.deleteMany();
  });

  it('requires a token', async () => {
    const { status } = await server.call('GET', '/applications/access-graph', { token: null });
    expect(status).toBe(401);
  });

  it('is for admins and owners', async () => {
    expect((await graph('', member.token)).status).toBe(403);
    expect((await graph('', admin.token)).status).toBe(200);
    expect((await graph()).status).toBe(200);
  });

  it('is empty at first', async () => {
    expect((await graph()).body).toEqual({
      applications: [],
      integrations: [],
      edges: [],
      truncated: false,
      nextCursor: null,
    });
  });

  it('holds the applications of all members, the integrations and what is attached', async () => {
    await addForeignRows(server);
    const application = await createApplication(server, { token: member.token, name: 'Assistant' });
    const attached = await createIntegration(server, { name: 'Attached' });
    const free = await createIntegration(server, { name: 'Free' });
    await attach(server, application.id, attached);
    const { body } = await graph();
    const node = {
      category: 'gateway_remote_mcp',
      authMode: 'none',
      validationStatus: 'pending',
      archivedAt: null,
    };
    expect(body).toEqual({
      applications: [
        { id: application.id, name: 'Assistant', ownerUserId: member.id, archivedAt: null },
      ],
      integrations: [
        { id: free, name: 'Free', ...node },
        { id: attached, name: 'Attached', ...node },
      ],
      edges: [
        {
          applicationId: application.id,
          integrationId: attached,
          attachedAt: expect.stringMatching(/Z$/),
          use: 'called_through',
        },
      ],
      truncated: false,
      nextCursor: null,
    });
  });

  it('holds archived ends of what is attached, and no other archived rows', async () => {
    const kept = await createApplication(server);
    const dropped = await createApplication(server);
    const attached = await createIntegration(server);
    const free = await createIntegration(server);
    await attach(server, kept.id, attached);
    for (const path of [
      `/applications/${kept.id}`,
      `/applications/${dropped.id}`,
      `/integrations/${attached}`,
      `/integrations/${free}`,
    ]) {
      await server.call('DELETE', path);
    }
    const { body } = await graph();
    expect(body.applications).toMatchObject([
      { id: kept.id, archivedAt: expect.stringMatching(/Z$/) },
    ]);
    expect(body.integrations).toMatchObject([
      { id: attached, archivedAt: expect.stringMatching(/Z$/) },
    ]);
    expect(body.edges).toHaveLength(1);
  });

  it('computes policies when asked, and only then', async () => {
    const { id } = await createApplication(server);
    await attach(server, id, await createIntegration(server));
    const policies = async (query: string) =>
      (await graph(query)).body.edges.map(({ policy }: { policy?: unknown }) => policy);
    expect(await policies('?includePolicy=true')).toEqual([
      { allowed: true, reasons: [], tools: { allowed: 0, total: 0 } },
    ]);
    expect(await policies('?includePolicy=false')).toEqual([undefined]);
    expect((await graph('?includePolicy=1')).status).toBe(400);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['not_proxied', {}, { category: 'internal_mcp_credentials' }],
    ['oauth_not_configured', { authMode: 'oauth' }, { oauth: null }],
  ])('gives the reason %s', async (code, fields, change) => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server, fields);
    await server.call('PATCH', `/integrations/${integrationId}`, { body: change });
    await attach(server, id, integrationId);
    expect(await policyOfOnlyEdge()).toMatchObject({
      allowed: false,
      reasons: [{ code, message: expect.any(String) }],
    });
  });

  it('gives every reason against an edge', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server);
    await attach(server, id, integrationId);
    await server.store.db.integration.update({
      where: { id: integrationId },
      data: { validationStatus: 'invalid' },
    });
    await server.call('DELETE', `/applications/${id}`);
    await server.call('DELETE', `/integrations/${integrationId}`);
    expect(await codesOfOnlyEdge()).toEqual([
      'application_archived',
      'integration_archived',
      'validation_invalid',
    ]);
  });

  it('counts a server token only while it is usable at the present origin', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server, {
      authMode: 'server_token',
      serverToken: 'upstream-secret',
    });
    await attach(server, id, integrationId);
    expect(await codesOfOnlyEdge()).toEqual([]);
    await server.store.db.integration.update({
      where: { id: integrationId },
      data: { url: 'https://elsewhere.example.com/mcp' },
    });
    expect(await codesOfOnlyEdge()).toEqual(['server_token_missing']);
  });

  it('finds an OAuth configuration that is set', async () => {
    const { id } = await createApplication(server);
    const integrationId = await createIntegration(server, {
      authMode: 'oauth',
      oauth: { provider: 'github', issuer: 'https://github.com', scopes: ['repo'] },
    });
    await attach(server, id, integrationId);
    expect(await codesOfOnlyEdge()).toEqual([]);
  });

  it('is not for people and groups of other organizations', async () => {
    const token = await addOrganization(server.store);
    const { body } = await server.call('POST', '/groups', { token, body: { name: 'Theirs' } });
    const me = await server.call('GET', '/me', { token });
    for (const query of [`forUserId=${me.body.user.id}`, `forGroup=${body.group.id}`]) {
      expect((await graph(`?${query}`, token)).status).toBe(200);
      expect((await graph(`?${query}`)).status).toBe(400);
    }
  });

  it('ends a page before its applications have more than 5,000 edges, in a bounded number of statements', async () => {
    const { organizationId, id: userId } = await server.store.db.user.findFirstOrThrow();
    await addMany(server.store.db, { organizationId, userId, applications: 12, integrations: 500 });
    await server.store.db.$executeRaw`
      INSERT INTO "IntegrationPolicy" ("integrationId", "organizationId", "rules")
      SELECT "id", "organizationId", '{"roles": ["member"]}'::jsonb FROM "Integration"`;
    server.store.statements();
    const { body } = await graph('?includePolicy=true');
    const statements = server.store
      .statements()
      .filter((sql) => /"(?:Application|Attachment|Integration|IntegrationPolicy)"/.test(sql));
    expect(body.applications).toHaveLength(10);
    expect(body.edges).toHaveLength(5000);
    const isRefused = ({ policy }: { policy: { reasons: { code: string }[] } }) =>
      policy.reasons[0]?.code === 'role_or_group';
    expect(body.edges.every(isRefused)).toBe(true);
    expect(body.truncated).toBe(true);
    // Two for each 1,000 edges, and eight others.
    expect(statements.length).toBeLessThanOrEqual(5 * 2 + 8);
    const cursor = encodeURIComponent(body.nextCursor);
    const rest = (await graph(`?cursor=${cursor}`)).body;
    expect(rest.edges).toHaveLength(1000);
    expect(rest.nextCursor).toBe(null);
  });

  it('passes over many archived applications that are attached to nothing', async () => {
    const { id } = await createApplication(server);
    const { organizationId, id: userId } = await server.store.db.user.findFirstOrThrow();
    await addMany(server.store.db, { organizationId, userId, applications: 2100, integrations: 0 });
    await server.store.db.$executeRaw`
      UPDATE "Application" SET "archivedAt" = now() WHERE "name" = 'Many'`;
    const { body } = await graph();
    expect(body.applications.map((application: { id: string }) => application.id)).toEqual([id]);
    expect(body.nextCursor).toBe(null);
  });
});

/** Every application with every integration. Their ids sort above those that are made now. */
async function addMany(
  db: Db,
  rows: {
    readonly organizationId: string;
    readonly userId: string;
    readonly applications: number;
    readonly integrations: number;
  },
) {
  const { organizationId, userId } = rows;
  await db.$executeRaw`
    INSERT INTO "Integration" ("id", "organizationId", "name", "url", "category", "authMode", "createdAt", "updatedAt")
    SELECT overlay(gen_random_uuid()::text placing 'f' from 1)::uuid, ${organizationId}::uuid, 'Many',
      'https://many.example.com', 'gateway_remote_mcp', 'none', now(), now()
    FROM generate_series(1, ${rows.integrations}::int)`;
  await db.$executeRaw`
    INSERT INTO "Application" ("id", "organizationId", "ownerUserId", "name", "clientType", "createdAt", "updatedAt")
    SELECT overlay(gen_random_uuid()::text placing 'f' from 1)::uuid, ${organizationId}::uuid,
      ${userId}::uuid, 'Many', 'public', now(), now() FROM generate_series(1, ${rows.applications}::int)`;
  await db.$executeRaw`
    INSERT INTO "Attachment" ("id", "organizationId", "applicationId", "integrationId", "createdAt")
    SELECT gen_random_uuid(), ${organizationId}::uuid, p."id", i."id", now()
    FROM "Application" p, "Integration" i WHERE p."name" = 'Many' AND i."name" = 'Many'`;
}

async function policyOfOnlyEdge() {
  const { body } = await graph('?includePolicy=true');
  expect(body.edges).toHaveLength(1);
  return body.edges[0].policy;
}

async function codesOfOnlyEdge(): Promise<string[]> {
  const { allowed, reasons } = await policyOfOnlyEdge();
  expect(allowed).toBe(reasons.length === 0);
  return reasons.map(({ code }: { code: string }) => code);
}
