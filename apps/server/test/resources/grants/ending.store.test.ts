import { beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../../../src/generated/prisma/client.ts';
import {
  insertConsent,
  insertGrant,
  insertOauthToken,
  insertSessionOfGrant,
} from '../../support/grants.ts';
import { useServer } from '../../support/server.ts';
import { attach, createApplication, createIntegration } from '../applications/support.ts';

/* What ends with what is taken from an application. */

const server = useServer();

let applicationId: string;
let integrationId: string;
let otherIntegrationId: string;

const redirectUris = ['https://a.example/cb', 'https://b.example/cb', 'http://127.0.0.1/cb'];
const DYNAMIC = 'https://client.example/metadata.json';

beforeEach(async () => {
  const oauth = {
    redirectUris,
    scopes: ['mcp', 'extra'],
    allowedResources: ['https://other.example'],
    allowDynamicClients: true,
  };
  applicationId = (await createApplication(server, { oauth })).id;
  integrationId = await createIntegration(server);
  otherIntegrationId = await createIntegration(server);
  await attach(server, applicationId, integrationId);
  await attach(server, applicationId, otherIntegrationId);
});

const urlOf = (id?: string) =>
  `${server.origin}/mcp/${applicationId}${id === undefined ? '' : `/${id}`}`;

const grant = (fields: Partial<Grant> = {}) =>
  insertGrant(server, applicationId, { resources: [urlOf()], ...fields });

const patch = async (body: object) => {
  const { status } = await server.call('PATCH', `/applications/${applicationId}/oauth`, { body });
  expect(status).toBe(200);
};

const left = async () => {
  const rows = await server.store.db.grant.findMany({
    where: { applicationId },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
};

const consentsLeft = async () =>
  (await server.store.db.consent.findMany({ where: { applicationId } })).map(({ id }) => id);

const tokensLeft = async () =>
  (await server.store.db.oauthToken.findMany({ where: { applicationId } })).map(({ id }) => id);

const itself = async () =>
  server.store.db.application
    .findUniqueOrThrow({ where: { id: applicationId } })
    .then(({ organizationId }) => ({ applicationId, organizationId }));

async function stateOf(id: string) {
  return (await server.store.db.session.findUniqueOrThrow({ where: { id } })).state;
}

describe('PATCH /applications/:id/oauth', () => {
  it('ends the grants of a redirect URI that is taken away', async () => {
    const gone = await grant({ redirectUri: 'https://a.example/cb' });
    const kept = await grant({ redirectUri: 'https://b.example/cb' });
    const loopback = await grant({ redirectUri: 'http://127.0.0.1:51234/cb' });
    const dynamic = await grant({ redirectUri: 'https://a.example/cb', clientId: DYNAMIC });
    await insertConsent(server, gone);
    const consents = [await insertConsent(server, kept), await insertConsent(server, dynamic)];
    const session = await insertSessionOfGrant(server, gone, integrationId);
    await patch({ redirectUris: redirectUris.slice(1) });
    expect(await left()).toEqual([kept.id, loopback.id, dynamic.id]);
    expect((await consentsLeft()).sort()).toEqual(consents.sort());
    expect(await stateOf(session)).toBe('revoked');
    await patch({ redirectUris: redirectUris.slice(1, 2) });
    expect(await left()).toEqual([kept.id, dynamic.id]);
  });

  it('keeps the grants of a loopback redirect when its registered port changes', async () => {
    const kept = await grant({ redirectUri: 'http://127.0.0.1:51234/cb' });
    await patch({ redirectUris: [...redirectUris.slice(0, 2), 'http://127.0.0.1:8080/cb'] });
    expect(await left()).toEqual([kept.id]);
    await patch({ redirectUris: [...redirectUris.slice(0, 2), 'http://127.0.0.1:8080/cb2'] });
    expect(await left()).toEqual([]);
  });

  it("ends the grants with a scope that is taken away, and the application's own tokens with it", async () => {
    const gone = await grant({ scopes: ['mcp', 'extra'] });
    const kept = await grant();
    await insertConsent(server, gone);
    const consent = await insertConsent(server, kept);
    await insertOauthToken(server, await itself(), 'access', { scopes: ['mcp', 'extra'] });
    const token = await insertOauthToken(server, await itself(), 'access');
    await patch({ scopes: ['mcp'] });
    expect(await left()).toEqual([kept.id]);
    expect([await consentsLeft(), await tokensLeft()]).toEqual([[consent], [token]]);
  });

  it('ends the grants for a resource that is taken away, however it was spelled', async () => {
    const management = `${server.origin}/api/v1`;
    await patch({ allowedResources: [`${management}/`, 'https://other.example'] });
    const gone = await grant({ resources: [management] });
    const kept = await grant({ resources: ['https://other.example'] });
    await patch({ allowedResources: ['https://other.example'] });
    expect(await left()).toEqual([kept.id]);
    expect(gone.id).not.toBe(kept.id);
  });

  it('keeps grants for resources that are always allowed: the application and what is attached', async () => {
    await patch({ allowedResources: [urlOf().toUpperCase(), urlOf(integrationId)] });
    const kept = [await grant(), await grant({ resources: [urlOf(integrationId)] })];
    await patch({ allowedResources: [] });
    expect(await left()).toEqual(kept.map(({ id }) => id));
  });

  it('ends the grants of dynamic clients when they are no longer allowed', async () => {
    const gone = await grant({ clientId: DYNAMIC });
    const kept = await grant();
    await insertConsent(server, gone);
    const consent = await insertConsent(server, kept);
    await patch({ allowDynamicClients: false });
    expect(await left()).toEqual([kept.id]);
    expect(await consentsLeft()).toEqual([consent]);
  });

  it('ends nothing when something is added, or when PKCE or the type changes', async () => {
    const kept = await grant({ clientId: DYNAMIC });
    const token = await insertOauthToken(server, kept, 'refresh');
    await patch({ scopes: ['mcp', 'extra', 'more'], pkceRequired: false, type: 'public' });
    await patch({ redirectUris: [...redirectUris, 'https://c.example/cb'], type: 'confidential' });
    await server.call('POST', `/applications/${applicationId}/rotate-secret`);
    expect([await left(), await tokensLeft()]).toEqual([[kept.id], [token]]);
  });

  it('touches no grant of another application', async () => {
    const { id } = await createApplication(server, { oauth: { scopes: ['mcp', 'extra'] } });
    const kept = await insertGrant(server, id, { scopes: ['extra'], clientId: DYNAMIC });
    await patch({ scopes: ['mcp'], redirectUris: [], allowDynamicClients: false });
    expect(await server.store.db.grant.count({ where: { id: kept.id } })).toBe(1);
  });

  it('announces each of a few grants, and not each of many', async () => {
    const heard: unknown[] = [];
    const stop = server.store.changes.subscribe({ react: (changes) => heard.push(...changes) });
    const few = await grant({ scopes: ['extra'] });
    await patch({ scopes: ['mcp'] });
    expect(heard).toEqual([
      { kind: 'token', id: few.id },
      { kind: 'application', id: applicationId },
    ]);
    await patch({ scopes: ['mcp', 'extra'] });
    for (let made = 0; made < 51; made += 1) await grant({ scopes: ['extra'] });
    heard.length = 0;
    await patch({ scopes: ['mcp'] });
    expect(heard).toEqual([{ kind: 'application', id: applicationId }]);
    stop();
  });
});

describe('detaching an integration', () => {
  const detach = () =>
    server.call('DELETE', `/applications/${applicationId}/integrations/${integrationId}`);
  const set = () =>
    server.call('PUT', `/applications/${applicationId}/integrations`, {
      body: { integrationIds: [otherIntegrationId] },
    });

  it.each([
    ['alone', detach],
    ['by a new set', set],
  ])('takes its URL from the grants, %s', async (_, act) => {
    const only = await grant({ resources: [urlOf(integrationId)] });
    const both = await grant({
      resources: [urlOf(otherIntegrationId), urlOf(integrationId)],
      integrationIds: [integrationId, otherIntegrationId],
    });
    const whole = await grant({ integrationIds: [otherIntegrationId, integrationId] });
    await insertOauthToken(server, only, 'refresh');
    await insertOauthToken(server, both, 'access', { audience: urlOf(integrationId) });
    const kept = [
      await insertOauthToken(server, both, 'access', { audience: urlOf(otherIntegrationId) }),
      await insertOauthToken(server, whole, 'access', { audience: urlOf() }),
    ];
    await insertConsent(server, only);
    await insertOauthToken(server, await itself(), 'access', { audience: urlOf(integrationId) });
    expect((await act()).status).toBeLessThan(300);
    const rows = await server.store.db.grant.findMany({
      where: { applicationId },
      orderBy: { id: 'asc' },
    });
    expect(
      rows.map(({ id, resources, integrationIds }) => [id, resources, integrationIds]),
    ).toEqual([
      [both.id, [urlOf(otherIntegrationId)], [otherIntegrationId]],
      [whole.id, [urlOf()], [otherIntegrationId]],
    ]);
    expect((await tokensLeft()).sort()).toEqual(kept.sort());
    expect(await consentsLeft()).toEqual([]);
  });
});

describe('archiving an application', () => {
  it('deletes its grants, tokens and consents, and restoring does not bring them back', async () => {
    const one = await grant();
    await insertOauthToken(server, one, 'refresh');
    await insertOauthToken(server, await itself(), 'access');
    await insertConsent(server, one);
    await server.call('DELETE', `/applications/${applicationId}`);
    await server.call('POST', `/applications/${applicationId}/restore`);
    expect([await left(), await tokensLeft(), await consentsLeft()]).toEqual([[], [], []]);
  });
});
