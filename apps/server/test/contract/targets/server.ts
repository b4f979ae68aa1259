import { startUpstream } from '@gatehouse/testing';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { createUsageCounters } from '../../../src/usage/usage-counters.ts';
import { insertSession } from '../../resources/applications/support.ts';
import { insertTool } from '../../resources/tools/support.ts';
import {
  insertAccessToken,
  insertConsent,
  insertGrant,
  insertOauthToken,
} from '../../support/grants.ts';
import { addOrganization } from '../../support/organization.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import type { NewAccessToken, NewCalls, NewGrant, NewListing, Service } from './target.ts';

const UPSTREAM_TOKEN = 'upstream-token-of-the-contract-suite';

/** The real service. */
export async function startServer(): Promise<Service> {
  const [server, upstream] = await Promise.all([
    startTestServer(),
    startUpstream({ requireBearer: UPSTREAM_TOKEN }),
  ]);
  const tokens = {
    owner: server.owner,
    admin: (await server.addMember('admin')).token,
    member: (await server.addMember('member')).token,
    stranger: await addOrganization(server.store),
  };
  return {
    name: 'server',
    baseUrl: server.baseUrl,
    tokens,
    upstream: { url: upstream.url, token: UPSTREAM_TOKEN },
    fetch: globalThis.fetch,
    addSession: ({ applicationId, integrationId, ...options }) =>
      insertSession(server, applicationId, integrationId, options),
    addGrant: (grant) => addGrant(server, grant),
    addMembers: (count) => addMembers(server.store, count),
    addTool: ({ definition, ...tool }) =>
      insertTool(server, {
        ...tool,
        ...(definition === undefined
          ? {}
          : { definition: definition && JSON.stringify(definition) }),
      }),
    addCalls: (calls) => addCalls(server, calls),
    addListing: (listing) => addListing(server, listing),
    addAccessToken: (token) => addAccessToken(server, token),
    close: () => Promise.all([server.close(), upstream.close()]),
  };
}

async function addMembers({ db }: Store, count: number): Promise<void> {
  const { id: organizationId } = await db.organization.findFirstOrThrow({
    orderBy: { id: 'desc' },
  });
  await db.user.createMany({
    data: Array.from({ length: count }, () => {
      const created = createId();
      const email = `${created.id}@other.example`;
      return { ...created, organizationId, email, name: 'Member', role: 'member' };
    }),
  });
}

async function addCalls({ store }: TestServer, calls: NewCalls): Promise<void> {
  const { applicationId, integrationId, userId, tool = '', count = 1, at } = calls;
  const { organizationId } = await store.db.user.findUniqueOrThrow({ where: { id: userId } });
  const counters = createUsageCounters(store, throwIt);
  for (let n = 0; n < count; n += 1) {
    counters.count({
      ...{ organizationId, applicationId, integrationId, subjectId: userId, tools: [tool] },
      ...{ outcome: calls.outcome ?? 'ok', endedAt: Date.parse(at), ms: calls.ms ?? 40 },
      ...{ bytesIn: 300, bytesOut: 1_000 },
    });
  }
  await counters.close();
}

function throwIt(error: unknown): never {
  throw error;
}

async function addListing(
  { store: { db } }: TestServer,
  { integrationId, definition, ...entry }: NewListing,
): Promise<void> {
  const where = { id: integrationId };
  const { organizationId } = await db.integration.findUniqueOrThrow({ where });
  const text = definition && JSON.stringify(definition);
  await db.listedEntry.create({
    data: { integrationId, organizationId, ...entry, definition: text },
  });
}

async function addAccessToken(
  server: TestServer,
  { applicationId, userId, scopes = ['mcp', 'credentials'] }: NewAccessToken,
): Promise<string> {
  const audience = `${server.origin}/mcp/${applicationId}`;
  const fields = { audience, scopes: [...scopes] };
  const { db } = server.store;
  const { organizationId } = await db.application.findUniqueOrThrow({
    where: { id: applicationId },
  });
  if (userId === null) return insertAccessToken(server, { applicationId, organizationId }, fields);
  const attached = await db.attachment.findMany({ where: { applicationId } });
  const integrationIds = attached.map(({ integrationId }) => integrationId);
  const resources = [audience];
  const grant = await insertGrant(server, applicationId, {
    ...{ userId, resources, integrationIds },
    scopes: fields.scopes,
  });
  return insertAccessToken(server, grant, fields);
}

async function addGrant(server: TestServer, fields: NewGrant): Promise<string> {
  const { applicationId, isConsentKept = false, resources, scopes, ...rest } = fields;
  const grant = await insertGrant(server, applicationId, {
    ...rest,
    resources: [...(resources ?? [`${server.origin}/mcp/${applicationId}`])],
    scopes: [...(scopes ?? ['mcp'])],
  });
  await insertOauthToken(server, grant, 'access');
  await insertOauthToken(server, grant, 'refresh');
  if (isConsentKept) await insertConsent(server, grant);
  return grant.id;
}
