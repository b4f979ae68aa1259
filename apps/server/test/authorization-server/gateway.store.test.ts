import { beforeAll, describe, expect, it } from 'vitest';
import { CALL, clientOf, MODERN, startGateway, useFixture } from '../gateway/fixture.ts';
import { testDatabaseKind } from '../support/database.ts';
import { use } from '../support/use.ts';
import type { Browser } from './browser.ts';
import { obtainTokens, type Parameters, requestToken, signedInBrowser } from './fixture.ts';

const REDIRECT_URI = 'http://localhost/callback';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let browser: Browser;

beforeAll(async () => {
  fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
  browser = await signedInBrowser(fixture.server);
});

const clientAt = (integrationId: string) => ({
  clientId: fixture.applicationId,
  clientSecret: undefined,
  integrationId,
  mcpUrl: fixture.urlOf(integrationId),
});

/** Tokens of the fixture's application for the gateway URL of an integration. */
async function tokensFor(integrationId: string, parameters: Parameters = {}) {
  const { server } = fixture;
  const asked = { redirect_uri: REDIRECT_URI, ...parameters };
  const { status, body } = await obtainTokens(server, browser, clientAt(integrationId), asked);
  expect(status).toBe(200);
  return { access: body.access_token as string, refresh: body.refresh_token as string };
}

const wholeApplication = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

describe('a call with an OAuth access token', () => {
  it('makes no SQL statement once it is known', async () => {
    const integrationId = await fixture.integrate();
    const { access: token } = await tokensFor(integrationId);
    const options = { token, headers: MODERN };
    for (let call = 0; call < 2; call += 1) {
      await (await send(fixture.urlOf(integrationId), options)).text();
    }
    fixture.server.store.statements();
    for (let call = 0; call < 20; call += 1) {
      expect((await send(fixture.urlOf(integrationId), options)).status).toBe(200);
    }
    expect(
      fixture.server.store.statements().filter((sql) => !/lastActivity|lastUsed/.test(sql)),
    ).toEqual([]);
  });

  it('is refused at another integration of the same application', async () => {
    const { access: token } = await tokensFor(await fixture.integrate());
    const other = await fixture.integrate();
    const answer = await send(fixture.urlOf(other), { token });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('sends nothing of the token upstream', async () => {
    const integrationId = await fixture.integrate();
    const { access: token } = await tokensFor(integrationId);
    const call = send(fixture.urlOf(integrationId), { token });
    const exchange = await fixture.upstream.nextRequest();
    exchange.respondResult({});
    await call;
    expect(JSON.stringify(exchange.request)).not.toContain(token);
  });

  it('is refused without the scope mcp, and the response names that scope', async () => {
    await fixture.api('PATCH', `/applications/${fixture.applicationId}/oauth`, {
      scopes: ['mcp', 'extra'],
    });
    const integrationId = await fixture.integrate();
    const { access: token } = await tokensFor(integrationId, { scope: 'extra' });
    const answer = await send(fixture.urlOf(integrationId), { token });
    expect(answer.status).toBe(403);
    const { pathname } = new URL(fixture.urlOf(integrationId));
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${fixture.server.origin}/.well-known/oauth-protected-resource${pathname}", scope="mcp"`,
    );
  });

  it('belongs to the one modern session of its grant, whichever access token it has', async () => {
    const integrationId = await fixture.integrate();
    const { access, refresh } = await tokensFor(integrationId);
    const { body } = await requestToken(fixture.server, {
      grant_type: 'refresh_token',
      client_id: fixture.applicationId,
      refresh_token: refresh,
    });
    for (const token of [access, body.access_token]) {
      await (await send(fixture.urlOf(integrationId), { token, headers: MODERN })).text();
    }
    const sessions = await fixture.server.store.db.session.findMany({ where: { integrationId } });
    const grants = await fixture.server.store.db.grant.findMany({
      where: { resources: { has: fixture.urlOf(integrationId) } },
    });
    expect(sessions.map(({ tokenId }) => tokenId)).toEqual(grants.map(({ id }) => id));
  });
});

describe('a token for the whole application', () => {
  it("reaches integrations attached later, except those that need a person's credential", async () => {
    const early = await fixture.integrate({ authMode: 'user_token' });
    const resource = wholeApplication();
    const { access: token } = await tokensFor(early, { resource });
    const open = await fixture.integrate();
    const personal = await fixture.integrate({ authMode: 'user_token' });
    for (const id of [early, personal]) {
      await fixture.api('POST', `/integrations/${id}/connection`, { token: 'upstream-token' });
    }
    expect(await (await send(fixture.urlOf(early), { token })).text()).toContain('"result"');
    expect(await (await send(fixture.urlOf(open), { token })).text()).toContain('"result"');
    const refused = JSON.parse(await (await send(fixture.urlOf(personal), { token })).text());
    const { id: grantId } = await fixture.server.store.db.grant.findFirstOrThrow({
      where: { resources: { has: resource } },
      orderBy: { id: 'desc' },
    });
    const page = `/connect?integration=${personal}&grant=${grantId}`;
    const connectUrl = fixture.server.origin + page;
    const { message, ...error } = refused.error;
    expect(error).toEqual({
      code: -31001,
      data: {
        ...{ code: 'connection_required', reason: 'consent_required' },
        ...{ integrationId: personal, connectUrl },
      },
    });
    expect(message).toBe(
      `Agree to this integration: the integration was attached to the application after you agreed to it. Open ${connectUrl}`,
    );
    const body = { ...CALL, params: { name: 'connect_account' } };
    const told = JSON.parse(await (await send(fixture.urlOf(personal), { token, body })).text());
    expect(told.result.content[0].text).toContain(connectUrl);
    await browser.submit(await (await browser.get(page)).text(), { decision: 'allow' });
    expect(await (await send(fixture.urlOf(personal), { token })).text()).toContain('"result"');
    const { access: agreed } = await tokensFor(personal, { resource });
    const answer = await send(fixture.urlOf(personal), { token: agreed });
    expect(await answer.text()).toContain('"result"');
  });

  it('awaits consent before an account, and says so on the way', async () => {
    const early = await fixture.integrate();
    const resource = wholeApplication();
    const { access: token } = await tokensFor(early, { resource });
    const personal = await fixture.integrate({ authMode: 'user_token' });
    const url = fixture.urlOf(personal);
    const reason = async () => {
      const { error } = JSON.parse(await (await send(url, { token })).text());
      return [error.data.reason, new URL(error.data.connectUrl)] as const;
    };
    const [first, link] = await reason();
    expect(first).toBe('consent_required');
    const page = await browser.get(link.pathname + link.search);
    await browser.submit(await page.text(), { decision: 'allow' });
    const [then, { search }] = await reason();
    expect([then, search]).toEqual(['connection_required', `?integration=${personal}`]);
  });

  it('gets the URLs of the integrations at its own URL where that is off', async () => {
    const integrationId = await fixture.integrate();
    const resource = wholeApplication();
    const { access: token } = await tokensFor(integrationId, { resource });
    await fixture.api('PATCH', `/applications/${fixture.applicationId}`, {
      aggregate: { mode: 'off' },
    });
    expect((await send(resource, { token: null })).status).toBe(401);
    for (const options of [{ token }, { method: 'GET' }]) {
      const answer = await send(resource, options);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(fixture.urlOf(integrationId));
    }
    const elsewhere = `${fixture.server.origin}/mcp/${integrationId}`;
    expect((await send(elsewhere, { token })).status).toBe(401);
    expect((await send(elsewhere, {})).status).toBe(404);
    await fixture.api('PATCH', `/applications/${fixture.applicationId}`, {
      aggregate: { mode: 'list' },
    });
    expect((await send(resource, { token, headers: MODERN })).status).not.toBe(404);
  });

  it('is not a token of the management API', async () => {
    const { access: token } = await tokensFor(await fixture.integrate(), {
      resource: wholeApplication(),
    });
    expect((await fixture.server.call('GET', '/integrations', { token })).status).toBe(401);
  });
});

describe('a token for the management API', () => {
  it('does what its scopes and the role of the person allow, and gives out no secrets', async () => {
    const { server } = fixture;
    const api = `${server.origin}/api/v1`;
    await fixture.api('PATCH', `/applications/${fixture.applicationId}/oauth`, {
      scopes: ['mcp', 'management:read', 'management:write'],
      allowedResources: [api],
    });
    const integrationId = await fixture.integrate();
    const read = await tokensFor(integrationId, { resource: api, scope: 'management:read' });
    expect((await server.call('GET', '/integrations', { token: read.access })).status).toBe(200);
    const body = { name: 'Made', url: 'http://127.0.0.1:9/mcp', authMode: 'none' };
    const narrow = await server.call('POST', '/integrations', { token: read.access, body });
    expect(narrow.status).toBe(403);
    expect(narrow.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${server.origin}/.well-known/oauth-protected-resource/api/v1", scope="management:write"`,
    );
    const { access: token } = await tokensFor(integrationId, { resource: `${api}/` });
    expect((await server.call('POST', '/integrations', { token, body })).status).toBe(201);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const secret = { name: 'token', scopes: ['management:read'], expiresAt };
    expect((await server.call('POST', '/tokens', { token, body: secret })).status).toBe(403);
    expect((await send(fixture.urlOf(integrationId), { token })).status).toBe(401);
    expect((await server.call('GET', '/me', { token })).body.authentication).toMatchObject({
      method: 'oauth',
      applicationId: fixture.applicationId,
      scopes: ['management:read', 'management:write'],
    });
  });
});

describe('an application that acts for itself', () => {
  it('uses integrations without a person, and nothing else', async () => {
    const { server } = fixture;
    const created = await fixture.api('POST', '/applications', {
      name: 'Nightly job',
      oauth: { type: 'confidential', redirectUris: [], scopes: ['mcp', 'management:read'] },
    });
    const { id } = created.body.application;
    const integrationId = await fixture.integrate();
    const personal = await fixture.integrate({ authMode: 'user_token' });
    await fixture.api('PUT', `/applications/${id}/integrations`, {
      integrationIds: [integrationId, personal],
    });
    const client = { client_id: id, client_secret: created.body.oauth.clientSecret };
    const { body } = await requestToken(server, { grant_type: 'client_credentials', ...client });
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'mcp' });
    expect(body).not.toHaveProperty('refresh_token');
    const { access_token: token } = body;
    const url = (integration: string) => `${server.origin}/mcp/${id}/${integration}`;
    for (const headers of [MODERN, {}]) {
      const answer = await send(url(integrationId), { token, headers });
      expect(await answer.text()).toContain('"result"');
    }
    expect((await send(url(personal), { token })).status).toBe(403);
    expect((await server.call('GET', '/me', { token })).status).toBe(403);
    const listed = await fixture.api('GET', `/applications/${id}/sessions`);
    expect(listed.body.items).toEqual([expect.objectContaining({ userId: null, era: 'modern' })]);
    const management = { ...client, grant_type: 'client_credentials', scope: 'management:read' };
    const resource = `${server.origin}/api/v1`;
    const refused = await requestToken(server, { ...management, resource });
    expect(refused.body.error).toBe('invalid_target');
    const receipt = await fixture.api('POST', `/applications/${id}/revoke-access`, {});
    expect(receipt.body.revoked).toMatchObject({ tokens: 1, grants: 0, sessions: 1 });
    expect((await send(url(integrationId), { token })).status).toBe(401);
  });

  it('is refused at once when it is archived', async () => {
    const created = await fixture.api('POST', '/applications', {
      name: 'Nightly job',
      oauth: { type: 'confidential', redirectUris: [] },
    });
    const { id } = created.body.application;
    const integrationId = await fixture.integrate();
    await fixture.api('PUT', `/applications/${id}/integrations`, {
      integrationIds: [integrationId],
    });
    const { body } = await requestToken(fixture.server, {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: created.body.oauth.clientSecret,
    });
    const url = `${fixture.server.origin}/mcp/${id}/${integrationId}`;
    const options = { token: body.access_token, headers: MODERN };
    expect((await send(url, options)).status).toBe(200);
    await fixture.api('DELETE', `/applications/${id}`);
    expect((await send(url, options)).status).toBe(401);
  });
});

/** A stream of the fixture's upstream, through the gateway at this origin. */
async function openStream(integrationId: string, token: string, origin?: string) {
  const url = fixture.urlOf(integrationId, origin);
  const initialized = send(url, { token });
  (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
  const id = String((await initialized).headers['mcp-session-id']);
  const answer = send(url, { method: 'GET', token, headers: { 'mcp-session-id': id } });
  const exchange = await fixture.upstream.nextRequest();
  exchange.startSse();
  await exchange.sendEvent({ data: 'hello' });
  const stream = await answer;
  await stream.received('hello');
  return { stream, exchange };
}

function revoke(parameters: Record<string, string>, origin = fixture.server.origin) {
  return fetch(`${origin}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams(parameters),
  });
}

describe('an access token that its client revokes', () => {
  it('is refused at once, its stream ends, and its grant goes on', async () => {
    const integrationId = await fixture.integrate();
    const { access: token, refresh } = await tokensFor(integrationId);
    const { body } = await requestToken(fixture.server, {
      grant_type: 'refresh_token',
      client_id: fixture.applicationId,
      refresh_token: refresh,
    });
    const url = fixture.urlOf(integrationId);
    expect((await send(url, { token: body.access_token, headers: MODERN })).status).toBe(200);
    const { stream } = await openStream(integrationId, token);
    expect((await revoke({ token, client_id: fixture.applicationId })).status).toBe(200);
    await stream.text();
    expect((await send(url, { token })).status).toBe(401);
    const other = { token: body.access_token, headers: MODERN };
    expect((await send(url, other)).status).toBe(200);
  });

  it('goes on if another client revokes it', async () => {
    const integrationId = await fixture.integrate();
    const { access: token } = await tokensFor(integrationId);
    const { body } = await fixture.api('POST', '/applications', {
      name: 'Other',
      oauth: { type: 'public', redirectUris: [REDIRECT_URI] },
    });
    expect((await revoke({ token, client_id: body.application.id })).status).toBe(200);
    const answer = await send(fixture.urlOf(integrationId), { token, headers: MODERN });
    expect(answer.status).toBe(200);
  });

  it('of an application that acts for itself is refused at once', async () => {
    const { body: created } = await fixture.api('POST', '/applications', {
      name: 'Nightly job',
      oauth: { type: 'confidential', redirectUris: [] },
    });
    const { id } = created.application;
    const integrationId = await fixture.integrate();
    await fixture.api('PUT', `/applications/${id}/integrations`, {
      integrationIds: [integrationId],
    });
    const client = { client_id: id, client_secret: created.oauth.clientSecret };
    const request = { grant_type: 'client_credentials', ...client };
    const { access_token: token } = (await requestToken(fixture.server, request)).body;
    const url = `${fixture.server.origin}/mcp/${id}/${integrationId}`;
    expect((await send(url, { token, headers: MODERN })).status).toBe(200);
    expect((await revoke({ token, ...client })).status).toBe(200);
    expect((await send(url, { token, headers: MODERN })).status).toBe(401);
  });
});

describe('a stream', () => {
  it('outlives its access token, but not its grant', async () => {
    const integrationId = await fixture.integrate();
    const { access: token, refresh } = await tokensFor(integrationId);
    const { stream, exchange } = await openStream(integrationId, token);
    const { db } = fixture.server.store;
    await db.$executeRaw`UPDATE "OauthToken" SET "expiresAt" = now() WHERE "kind" = 'access'`;
    // Every open call of the member is admitted again.
    const { id: userId } = await db.user.findFirstOrThrow();
    await fixture.api('PATCH', `/members/${userId}`, { name: 'Renamed' });
    await exchange.sendEvent({ data: 'still here' });
    await stream.received('still here');
    await revoke({ token: refresh, client_id: fixture.applicationId });
    await stream.text();
    expect((await send(fixture.urlOf(integrationId), { token })).status).toBe(401);
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('on another node', () => {
  const other = use(async () =>
    startGateway(await fixture.server.store.openAnotherNode(), {
      publicUrl: fixture.server.origin,
    }),
  );

  it('revoked access is refused within a second, streams included, and counted exactly', async () => {
    const integrationId = await fixture.integrate();
    await fixture.api('POST', `/applications/${fixture.applicationId}/revoke-access`, {});
    const { access: token } = await tokensFor(integrationId);
    const { stream } = await openStream(integrationId, token, other.origin);
    // A node writes down what is in flight on it every second.
    const { db } = fixture.server.store;
    await expect.poll(() => db.sessionPresence.count(), { timeout: 10_000 }).toBe(1);
    const path = `/applications/${fixture.applicationId}/revoke-access`;
    const { body } = await fixture.api('POST', path, {});
    const revokedAt = performance.now();
    await stream.text();
    const refused = await send(fixture.urlOf(integrationId, other.origin), { token });
    expect(refused.status).toBe(401);
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
    expect(body.revoked).toMatchObject({ tokens: 2, grants: 1, sessions: 1, streams: 1 });
  });

  it('a revoked access token is refused within a second, and its stream ends', async () => {
    const integrationId = await fixture.integrate();
    const { access: token } = await tokensFor(integrationId);
    const { stream } = await openStream(integrationId, token, other.origin);
    await revoke({ token, client_id: fixture.applicationId });
    const revokedAt = performance.now();
    await stream.text();
    const refused = await send(fixture.urlOf(integrationId, other.origin), { token });
    expect(refused.status).toBe(401);
    expect(performance.now() - revokedAt).toBeLessThan(1_000);
  });
});
