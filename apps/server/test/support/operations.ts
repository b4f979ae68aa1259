import { type Route, routes } from '@gatehouse/contract';
import { insertGrant } from './grants.ts';
import type { TestServer } from './server.ts';

/** New rows for each case, so that no case depends on another. */
export interface Fixture {
  readonly integration: string;
  readonly application: string;
  readonly session: string;
  readonly token: string;
  readonly member: string;
  readonly group: string;
  readonly grant: string;
  readonly event: string;
}

const NO_ROWS: Fixture = {
  integration: '',
  application: '',
  session: '',
  token: '',
  member: '',
  group: '',
  grant: '',
  event: '',
};

export interface Row {
  readonly body?: (fixture: Fixture) => unknown;
  /** Query string, with its question mark. */
  readonly query?: string;
  /** Which of the fixture's ids `:id` stands for, if the path has one. */
  readonly id?: keyof Fixture;
  readonly owner: number;
  readonly admin: number;
  readonly member: number;
  /** What a member gets on their own resource, where that differs. */
  readonly own?: number;
}

const application = {
  name: 'App',
  oauth: { type: 'confidential', redirectUris: ['https://a.example/cb'] },
};
const oauthConfig = { provider: 'p', issuer: 'https://id.example.com', scopes: [] };

/** What each operation is called with, and how each role is answered. */
export const table: Record<string, Row> = {
  'integrations.create': {
    body: () => ({ name: 'I', url: 'https://mcp.example.com' }),
    owner: 201,
    admin: 201,
    member: 403,
  },
  'integrations.list': { owner: 200, admin: 200, member: 200 },
  'integrations.discover': {
    body: () => ({ url: 'http://127.0.0.1:9' }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'integrations.get': { id: 'integration', owner: 200, admin: 200, member: 200 },
  'integrations.update': {
    id: 'integration',
    body: () => ({ name: 'J' }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'integrations.archive': { id: 'integration', owner: 204, admin: 204, member: 403 },
  'integrations.restore': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'integrations.validate': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'integrations.getOauth': { id: 'integration', owner: 409, admin: 409, member: 403 },
  'integrations.putOauth': {
    id: 'integration',
    body: () => oauthConfig,
    owner: 200,
    admin: 200,
    member: 403,
  },
  'integrations.deleteOauth': { id: 'integration', owner: 204, admin: 204, member: 403 },
  'integrations.getPolicy': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'integrations.putPolicy': {
    id: 'integration',
    body: (f) => ({ roles: ['admin'], perApplication: { [f.application]: { userIds: [] } } }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'tools.list': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'tools.approve': {
    id: 'integration',
    body: () => ({ fingerprints: {} }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'tools.withdraw': {
    id: 'integration',
    body: () => ({ fingerprints: {} }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'listings.prompts': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'listings.resources': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'connections.set': {
    id: 'integration',
    body: () => ({ token: 't' }),
    owner: 200,
    admin: 200,
    member: 200,
  },
  'connections.get': { id: 'integration', owner: 200, admin: 200, member: 200 },
  'connections.delete': { id: 'integration', owner: 204, admin: 204, member: 204 },
  // The integration is of the mode user_token.
  'connections.authorize': { id: 'integration', owner: 409, admin: 409, member: 409 },
  'connections.test': { id: 'integration', owner: 200, admin: 200, member: 200 },
  'connections.list': { id: 'integration', owner: 200, admin: 200, member: 403 },
  'applications.accessGraph': { owner: 200, admin: 200, member: 403 },
  'applications.whatIf': {
    body: (fixture) => ({ changes: [{ kind: 'archive', applicationId: fixture.application }] }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'applications.create': { body: () => application, owner: 201, admin: 201, member: 201 },
  'applications.list': { query: '?all=true', owner: 200, admin: 200, member: 403 },
  'applications.get': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.update': {
    id: 'application',
    body: () => ({ name: 'B' }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'applications.archive': { id: 'application', owner: 204, admin: 204, member: 404, own: 204 },
  'applications.restore': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.rotateSecret': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.revokeAccess': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.getOauth': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.updateOauth': {
    id: 'application',
    body: () => ({ scopes: ['mcp'] }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'applications.getAggregate': { id: 'application', owner: 200, admin: 200, member: 200 },
  'applications.listIntegrations': {
    id: 'application',
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'applications.setIntegrations': {
    id: 'application',
    body: (f) => ({ integrationIds: [f.integration] }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'applications.attachIntegration': {
    id: 'application',
    owner: 204,
    admin: 204,
    member: 404,
    own: 204,
  },
  'applications.updateIntegration': {
    id: 'application',
    body: () => ({ alias: 'renamed' }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'applications.detachIntegration': {
    id: 'application',
    owner: 204,
    admin: 204,
    member: 404,
    own: 204,
  },
  'applications.getPolicy': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.putPolicy': {
    id: 'application',
    body: () => ({ tools: { allow: ['read_*'] } }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
  'sessions.list': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'sessions.revoke': { id: 'application', owner: 204, admin: 204, member: 404, own: 204 },
  'sessions.listAll': { owner: 200, admin: 200, member: 200 },
  'sessions.end': {
    body: (f) => ({ filter: { applicationId: f.application }, dryRun: true }),
    owner: 200,
    admin: 200,
    member: 200,
  },
  'me.get': { owner: 200, admin: 200, member: 200 },
  'organization.update': { body: () => ({ name: 'O' }), owner: 200, admin: 200, member: 403 },
  'overview.get': { owner: 200, admin: 200, member: 200 },
  'auditEvents.list': { owner: 200, admin: 200, member: 403 },
  'auditEvents.export': { owner: 200, admin: 200, member: 403 },
  'auditEvents.verification': { owner: 200, admin: 200, member: 403 },
  'auditEvents.get': { id: 'event', owner: 200, admin: 200, member: 403 },
  'usage.get': {
    query: '?step=day&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    owner: 200,
    admin: 200,
    member: 200,
  },
  'installation.get': { owner: 200, admin: 200, member: 403 },
  'tokens.create': {
    body: () => ({ name: 't', scopes: ['mcp'] }),
    owner: 201,
    admin: 201,
    member: 201,
  },
  'tokens.list': { owner: 200, admin: 200, member: 200 },
  'tokens.revoke': { id: 'token', owner: 204, admin: 204, member: 404 },
  'members.create': {
    body: () => ({ email: `${crypto.randomUUID()}@example.com`, name: 'M', role: 'member' }),
    owner: 201,
    admin: 201,
    member: 403,
  },
  'members.list': { owner: 200, admin: 200, member: 403 },
  'members.update': {
    id: 'member',
    body: () => ({ name: 'N' }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'members.remove': { id: 'member', owner: 200, admin: 200, member: 403 },
  'members.revokeAccess': { id: 'member', owner: 200, admin: 200, member: 403 },
  'members.createSignInLink': { id: 'member', owner: 201, admin: 201, member: 403 },
  'members.getAccess': { id: 'member', owner: 200, admin: 200, member: 403 },
  'groups.create': {
    body: () => ({ name: crypto.randomUUID() }),
    owner: 201,
    admin: 201,
    member: 403,
  },
  'groups.list': { owner: 200, admin: 200, member: 200 },
  'groups.get': { id: 'group', owner: 200, admin: 200, member: 404 },
  'groups.update': {
    id: 'group',
    body: () => ({ externalId: null }),
    owner: 200,
    admin: 200,
    member: 403,
  },
  'groups.delete': { id: 'group', owner: 204, admin: 204, member: 403 },
  'groups.listMembers': { id: 'group', owner: 200, admin: 200, member: 403 },
  'groups.listPolicies': { id: 'group', owner: 200, admin: 200, member: 403 },
  'groups.addMember': { id: 'group', owner: 204, admin: 204, member: 403 },
  'groups.removeMember': { id: 'group', owner: 204, admin: 204, member: 403 },
  'grants.list': { owner: 200, admin: 200, member: 200 },
  'grants.end': { id: 'grant', owner: 204, admin: 204, member: 404, own: 204 },
};

const operations = Object.entries(routes).flatMap(([resource, entries]) =>
  Object.entries<Route>(entries).map(([name, route]) => ({
    operation: `${resource}.${name}`,
    route,
  })),
);
/** Every operation that needs a token of a user. */
export const guarded = operations.filter(
  ({ route }) => route.access !== 'public' && route.access !== 'application',
);

/** @param tokens of who makes the application and its token, and of an admin who makes the rest */
export async function makeFixture(
  server: TestServer,
  tokens: { readonly own: string; readonly admin: string },
): Promise<Fixture> {
  const post = async (path: string, token: string, body?: unknown) =>
    (await server.call('POST', path, { token, ...(body === undefined ? {} : { body }) })).body;
  const integrationBody = { name: 'I', url: 'http://127.0.0.1:9', authMode: 'user_token' };
  const { id: integration } = (await post('/integrations', tokens.admin, integrationBody))
    .integration;
  const { id: applicationId } = (await post('/applications', tokens.own, application)).application;
  await post(`/applications/${applicationId}/integrations/${integration}`, tokens.own);
  const email = `${crypto.randomUUID()}@example.com`;
  const { member } = await post('/members', tokens.admin, { email, name: 'M', role: 'member' });
  return {
    integration,
    application: applicationId,
    session: await makeSession(server, applicationId, integration),
    token: (await post('/tokens', tokens.own, { name: 't', scopes: ['mcp'] })).token.id,
    member: member.id,
    group: (await post('/groups', tokens.admin, { name: email })).group.id,
    grant: (await insertGrant(server, applicationId)).id,
    event: (await server.call('GET', '/audit-events', { token: tokens.admin })).body.items[0].id,
  };
}

async function makeSession(
  server: TestServer,
  applicationId: string,
  integrationId: string,
): Promise<string> {
  const { db } = server.store;
  const attachment = await db.attachment.findFirstOrThrow({
    where: { applicationId, integrationId },
  });
  const id = crypto.randomUUID();
  const { organizationId, id: attachmentId } = attachment;
  const now = new Date();
  await db.session.create({
    data: {
      id,
      organizationId,
      applicationId,
      integrationId,
      attachmentId,
      userId: crypto.randomUUID(),
      tokenId: crypto.randomUUID(),
      era: 'modern',
      createdAt: now,
      lastActivityAt: now,
    },
  });
  return id;
}

/** Which id of the fixture each parameter of a path stands for. */
export function parametersOf(
  { path }: Route,
  row: Row | undefined,
): [parameter: string, id: keyof Fixture][] {
  const ids: Record<string, keyof Fixture | undefined> = {
    ':id': row?.id,
    ':integrationId': 'integration',
    ':sessionId': 'session',
    ':memberId': 'member',
  };
  return (path.match(/:\w+/g) ?? []).flatMap((parameter) => {
    const id = ids[parameter];
    return id === undefined ? [] : [[parameter, id]];
  });
}

/** The request of an operation on the rows of a fixture, which those without an id do not need. */
export function requestOf(
  operation: string,
  fixture: Fixture = NO_ROWS,
): { method: string; path: string; body: unknown } {
  const { route } = guarded.find((entry) => entry.operation === operation) as { route: Route };
  const row = table[operation] as Row;
  const path = parametersOf(route, row).reduce(
    (rest, [parameter, id]) => rest.replace(parameter, fixture[id]),
    route.path,
  );
  return { method: route.method, path: path + (row.query ?? ''), body: row.body?.(fixture) };
}
