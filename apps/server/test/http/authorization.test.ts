import { type Route, routes } from '@gatehouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { useStranger } from '../support/users.ts';

/** Rows made anew for each case, so that no case lives on what another left. */
interface Fixture {
  readonly integration: string;
  readonly application: string;
  readonly session: string;
  readonly token: string;
  readonly member: string;
}

interface Row {
  readonly body?: (fixture: Fixture) => unknown;
  /** Query string, with its question mark. */
  readonly query?: string;
  /** Which of the fixture's ids `:id` stands for; none for paths without one. */
  readonly id?: keyof Fixture;
  readonly owner: number;
  readonly admin: number;
  readonly member: number;
  /** What a member gets on a resource of their own, where that differs. */
  readonly own?: number;
}

const application = {
  name: 'App',
  oauth: { type: 'confidential', redirectUris: ['https://a.example/cb'] },
};
const oauthConfig = { provider: 'p', issuer: 'https://id.example.com', scopes: [] };

const table: Record<string, Row> = {
  'integrations.create': {
    body: () => ({ name: 'I', url: 'https://mcp.example.com' }),
    owner: 201,
    admin: 201,
    member: 403,
  },
  'integrations.list': { owner: 200, admin: 200, member: 200 },
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
  'connections.set': {
    id: 'integration',
    body: () => ({ token: 't' }),
    owner: 200,
    admin: 200,
    member: 200,
  },
  'connections.get': { id: 'integration', owner: 200, admin: 200, member: 200 },
  'connections.delete': { id: 'integration', owner: 204, admin: 204, member: 204 },
  'applications.accessGraph': { owner: 200, admin: 200, member: 403 },
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
  'applications.getOauth': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'applications.updateOauth': {
    id: 'application',
    body: () => ({ scopes: ['mcp'] }),
    owner: 200,
    admin: 200,
    member: 404,
    own: 200,
  },
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
  'applications.detachIntegration': {
    id: 'application',
    owner: 204,
    admin: 204,
    member: 404,
    own: 204,
  },
  'sessions.list': { id: 'application', owner: 200, admin: 200, member: 404, own: 200 },
  'sessions.revoke': { id: 'application', owner: 204, admin: 204, member: 404, own: 204 },
  'me.get': { owner: 200, admin: 200, member: 200 },
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
  'members.remove': { id: 'member', owner: 204, admin: 204, member: 403 },
};

const operations = Object.entries(routes).flatMap(([resource, entries]) =>
  Object.entries<Route>(entries).map(([name, route]) => ({
    operation: `${resource}.${name}`,
    route,
  })),
);
const guarded = operations.filter(({ route }) => route.access !== 'public');

const server = useServer();
let tokens: Record<'owner' | 'admin' | 'member', string>;
const foreignOwner = useStranger(server);

beforeAll(async () => {
  tokens = {
    owner: server.owner,
    admin: (await server.addMember('admin')).token,
    member: (await server.addMember('member')).token,
  };
});

async function makeFixture(owner: string): Promise<Fixture> {
  const post = async (path: string, body: unknown) =>
    (await server.call('POST', path, { token: owner, body })).body;
  const integrationBody = { name: 'I', url: 'http://127.0.0.1:9', authMode: 'user_token' };
  const creator = owner === tokens.member ? tokens.owner : owner;
  const integration = await server.call('POST', '/integrations', {
    token: creator,
    body: integrationBody,
  });
  const { id: applicationId } = (await post('/applications', application)).application;
  const integrationId = integration.body.integration.id;
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`, {
    token: owner,
  });
  const { body } = await server.call('POST', '/members', {
    token: creator,
    body: { email: `${crypto.randomUUID()}@example.com`, name: 'M', role: 'member' },
  });
  return {
    integration: integrationId,
    application: applicationId,
    session: await makeSession(applicationId, integrationId),
    token: (await post('/tokens', { name: 't', scopes: ['mcp'] })).token.id,
    member: body.member.id,
  };
}

async function makeSession(applicationId: string, integrationId: string): Promise<string> {
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
function parametersOf(
  { path }: Route,
  row: Row | undefined,
): [parameter: string, id: keyof Fixture][] {
  const ids: Record<string, keyof Fixture | undefined> = {
    ':id': row?.id,
    ':integrationId': 'integration',
    ':sessionId': 'session',
  };
  return (path.match(/:\w+/g) ?? []).flatMap((parameter) => {
    const id = ids[parameter];
    return id === undefined ? [] : [[parameter, id]];
  });
}

async function perform(operation: string, token: string | null, fixture: Fixture): Promise<number> {
  const { route } = operations.find((entry) => entry.operation === operation) as { route: Route };
  const row = table[operation] as Row;
  const path = parametersOf(route, row).reduce(
    (rest, [parameter, id]) => rest.replace(parameter, fixture[id]),
    route.path,
  );
  const body = row.body?.(fixture);
  const { status } = await server.call(route.method, path + (row.query ?? ''), {
    token,
    ...(body === undefined ? {} : { body }),
  });
  return status;
}

describe('every operation of the route table', () => {
  it('has a row in this table, and no row is left over', () => {
    expect(Object.keys(table).sort()).toEqual(guarded.map(({ operation }) => operation).sort());
  });

  it.each(guarded)(
    'has an id for each parameter of its path: $operation',
    ({ operation, route }) => {
      const known = parametersOf(route, table[operation]).map(([parameter]) => parameter);
      expect(known).toEqual(route.path.split('/').filter((part) => part.startsWith(':')));
    },
  );
});

describe.each(guarded)('$operation', ({ operation, route }) => {
  it('requires a token, and one that exists', async () => {
    const fixture = await makeFixture(tokens.owner);
    expect(await perform(operation, null, fixture)).toBe(401);
    expect(await perform(operation, `gh_pat_${'x'.repeat(43)}`, fixture)).toBe(401);
  });

  it.each(['owner', 'admin', 'member'] as const)(
    'answers the %s as the table says',
    async (role) => {
      const fixture = await makeFixture(tokens.owner);
      expect(await perform(operation, tokens[role], fixture)).toBe(table[operation]?.[role]);
    },
  );

  if (table[operation]?.own !== undefined)
    it('answers a member on their own resource', async () => {
      const fixture = await makeFixture(tokens.member);
      expect(await perform(operation, tokens.member, fixture)).toBe(table[operation]?.own);
    });

  const parameters = parametersOf(route, table[operation]);
  if (parameters.length > 0)
    it('hides the ids of another organization', async () => {
      const fixture = await makeFixture(foreignOwner.token);
      expect(await perform(operation, tokens.owner, fixture)).toBe(404);
    });

  it.each(parameters.length > 1 ? parameters : [])(
    'hides the id of another organization in place of %s alone',
    async (_parameter, id) => {
      const own = await makeFixture(tokens.owner);
      const foreign = await makeFixture(foreignOwner.token);
      const mixed = { ...own, [id]: foreign[id] };
      expect(await perform(operation, tokens.owner, mixed)).toBe(404);
    },
  );
});
