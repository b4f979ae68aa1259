import { startUpstream } from '@gatehouse/testing';
import { insertSession } from '../../resources/applications/support.ts';
import { insertGrant } from '../../support/grants.ts';
import { addOrganization } from '../../support/organization.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import type { Actor } from './entity.ts';
import { createWorld, type World } from './world.ts';

/** The service under test, and the world as it is at the beginning. */
export interface FuzzedService {
  readonly server: TestServer;
  readonly world: World;
  /** Makes sure that there is an organization with a single owner to remove. */
  renewLonelyOwner(): Promise<void>;
  close(): Promise<void>;
}

/** High enough never to be met, but on: answers carry its headers, and guessed tokens are counted. */
const RATE_LIMIT = 1_000_000_000;
const LONELY = 'lonely';

export async function startFuzzedService(): Promise<FuzzedService> {
  const [server, upstream] = await Promise.all([
    startTestServer({ rateLimit: RATE_LIMIT, trustedProxies: ['127.0.0.1'] }),
    startUpstream(),
  ]);
  const world = createWorld(upstream.url);
  await addPeople(server, world);
  await addForeigners(server, world);
  await addSessions(server, world);
  await addGrants(server, world);
  return {
    server,
    world,
    async renewLonelyOwner() {
      if (world.actors.values.some(({ organization }) => organization.startsWith(LONELY))) return;
      const organization = `${LONELY} ${world.next()}`;
      const bearer = await addOrganization(server.store, organization);
      await addActor(server, world, { bearer, organization, isProtected: false });
    },
    async close() {
      await Promise.all([server.close(), upstream.close()]);
    },
  };
}

async function addPeople(server: TestServer, world: World): Promise<void> {
  const organization = 'home';
  const bearers = [
    server.owner,
    (await server.addMember('admin')).token,
    (await server.addMember('member')).token,
    (await server.addMember('member')).token,
  ];
  for (const bearer of bearers) {
    await addActor(server, world, { bearer, organization, isProtected: true });
  }
  for (const scope of ['mcp', 'management:read']) {
    const body = { name: scope, scopes: [scope] };
    const made = await server.call('POST', '/tokens', { token: bearers[2] ?? null, body });
    const { secret: bearer, token } = made.body;
    const limits = { scope, tokenId: token.id as string };
    await addActor(server, world, { bearer, organization, isProtected: true, ...limits });
  }
}

interface NewActor {
  readonly bearer: string;
  readonly organization: string;
  readonly isProtected: boolean;
  /** All scopes when left out. */
  readonly scope?: string;
  /** The id of the user's newest token when left out. */
  readonly tokenId?: string;
}

async function addActor(server: TestServer, world: World, actor: NewActor): Promise<void> {
  const { bearer, organization, isProtected, scope } = actor;
  const { user } = (await server.call('GET', '/me', { token: bearer })).body;
  const listed = await server.call('GET', '/tokens?limit=1', { token: bearer });
  const tokenId: string = actor.tokenId ?? listed.body.items[0].id;
  const common = { organization, isProtected, userId: user.id as string };
  world
    .entities('member')
    .set(user.id, { ...common, kind: 'member', id: user.id, role: user.role });
  world.entities('token').set(tokenId, { ...common, kind: 'token', id: tokenId });
  const all: Actor['scopes'] = ['mcp', 'management:read', 'management:write'];
  world.actors.set(bearer, {
    bearer,
    kind: 'personal',
    organization,
    userId: user.id,
    role: user.role,
    scopes: scope === undefined ? all : all.filter((one) => one === scope),
    tokenId,
    isBase: isProtected,
  });
}

async function addForeigners(server: TestServer, world: World): Promise<void> {
  const bearer = await addOrganization(server.store);
  await addActor(server, world, { bearer, organization: 'foreign', isProtected: true });
  await addAttachment(server, world, bearer, 'foreign');
}

async function addSessions(server: TestServer, world: World): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const [applicationId, integrationId] = await addAttachment(server, world, server.owner, 'home');
    const made = Array.from({ length: 60 }, (_, silentFor) =>
      insertSession(server, applicationId, integrationId, { silentFor }),
    );
    for (const id of await Promise.all(made)) {
      world.entities('session').set(id, {
        kind: 'session',
        id,
        organization: 'home',
        isProtected: false,
        applicationId,
      });
    }
  }
}

/** Nothing in the API makes one. */
async function addGrants(server: TestServer, world: World): Promise<void> {
  const [applicationId] = await addAttachment(server, world, server.owner, 'home');
  for (let count = 0; count < 120; count += 1) {
    const { id, userId } = await insertGrant(server, applicationId);
    const organization = 'home';
    world
      .entities('grant')
      .set(id, { kind: 'grant', id, organization, isProtected: false, userId });
  }
}

async function addAttachment(
  server: TestServer,
  world: World,
  token: string,
  organization: string,
): Promise<[applicationId: string, integrationId: string]> {
  const integration = { name: 'First', url: world.upstreamUrl };
  const oauth = { type: 'confidential', redirectUris: ['https://app.example.com/callback'] };
  const made = await server.call('POST', '/integrations', { token, body: integration });
  const body = { name: 'First', oauth };
  const application = await server.call('POST', '/applications', { token, body });
  const integrationId: string = made.body.integration.id;
  const { id: applicationId, ownerUserId: userId } = application.body.application;
  await server.call('POST', `/applications/${applicationId}/integrations/${integrationId}`, {
    token,
  });
  const common = { organization, isProtected: false };
  world
    .entities('integration')
    .set(integrationId, { ...common, kind: 'integration', id: integrationId });
  world.entities('application').set(applicationId, {
    ...common,
    kind: 'application',
    id: applicationId,
    userId,
    clientType: 'confidential',
  });
  return [applicationId, integrationId];
}
