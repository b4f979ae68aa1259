import { beforeAll, describe, expect, it } from 'vitest';
import { createDynamicClients } from '../../src/authorization-server/clients/dynamic/dynamic-clients.ts';
import { isDocumentUrl } from '../../src/authorization-server/clients/dynamic/metadata-document.ts';
import type { EgressResponse } from '../../src/egress/request.ts';
import { modernRequest } from '../gateway/connect-fixture.ts';
import { insertGrant } from '../support/grants.ts';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  obtainTokens,
  parametersOf,
  REDIRECT_URI,
  requestToken,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
let application: TestClient;
let browser: Browser;

const register = (body: unknown) =>
  fetch(`${server.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const setAllowed = (allowDynamicClients: boolean, { clientId } = application) =>
  server.call('PATCH', `/applications/${clientId}/oauth`, { body: { allowDynamicClients } });

/** A registered client that wants the gateway URL of the application. */
async function registered(fields: Record<string, unknown> = {}): Promise<TestClient> {
  const response = await register({
    redirect_uris: [REDIRECT_URI],
    client_name: 'Inspector',
    ...fields,
  });
  expect(response.status).toBe(201);
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  return { ...application, clientId, clientSecret: undefined };
}

beforeAll(async () => {
  application = await createClient(server, { scopes: ['mcp', 'extra'] });
  browser = await signedInBrowser(server);
});

describe('where no application allows dynamic clients', () => {
  it('the metadata advertises no way to become one, and registration is refused', async () => {
    const response = await fetch(`${server.origin}/.well-known/oauth-authorization-server`);
    const metadata = (await response.json()) as Record<string, unknown>;
    expect(metadata).not.toHaveProperty('registration_endpoint');
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported');
    expect((await register({ redirect_uris: [REDIRECT_URI] })).status).toBe(403);
  });
});

describe('a client that registers itself', () => {
  beforeAll(async () => {
    await setAllowed(true);
  });

  it('gets a response with what it was granted, and without what was refused', async () => {
    const response = await register({
      redirect_uris: [REDIRECT_URI, 'cursor://anysphere/callback', 'http://127.0.0.1/cb'],
      client_name: 'Inspector',
      scope: 'mcp management:write',
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: 'chosen',
      grant_types: ['implicit'],
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      client_id: expect.stringMatching(/^dyn_[\w-]{22}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Inspector',
      redirect_uris: [REDIRECT_URI, 'cursor://anysphere/callback', 'http://127.0.0.1/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp',
    });
  });

  it.each([
    ['none', {}],
    ['no list', { redirect_uris: REDIRECT_URI }],
    ['an empty list', { redirect_uris: [] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['plain http', { redirect_uris: ['http://app.example.com/'] }],
    ['too many', { redirect_uris: Array.from({ length: 21 }, (_, i) => `${REDIRECT_URI}/${i}`) }],
  ])('is refused for its redirect URIs: %s', async (_, body) => {
    const response = await register(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('gets a token for the gateway URL, with the scope mcp and nothing else', async () => {
    const client = await registered();
    const { status, body } = await obtainTokens(server, browser, client, { scope: 'mcp extra' });
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'mcp' });
    const headers = { authorization: `Bearer ${body.access_token}` };
    // Nothing listens upstream.
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(502);
    const again = { grant_type: 'refresh_token', client_id: client.clientId };
    const refresh = { ...again, refresh_token: body.refresh_token };
    expect((await requestToken(server, refresh)).status).toBe(200);
  });

  const expectInvalidTarget = async (resource: string | undefined) => {
    const parameters = { ...authorizeParameters(await registered(), createPkce()), resource };
    const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain('invalid_target');
  };

  it.each([
    ['no resource', () => undefined],
    ['the management API', () => `${server.origin}/api/v1`],
    ['an unknown application', () => `${server.origin}/mcp/${application.integrationId}`],
  ])('must name a gateway URL, and gets no token for %s', async (_, resource) => {
    await expectInvalidTarget(resource());
  });

  describe('for the one URL of an application', () => {
    const whole = () => `${server.origin}/mcp/${application.clientId}`;

    it.each(['', '/', '/mcp'])('gets a token that works there, as <url>%s', async (end) => {
      const client = await registered();
      const resource = whole() + end;
      const { status, body } = await obtainTokens(server, browser, client, { resource });
      expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'mcp' });
      const tools = async (url: string, authorization: string) => {
        const request = modernRequest('tools/list');
        const headers = { 'content-type': 'application/json', ...request.headers, authorization };
        return fetch(url, { method: 'POST', headers, body: JSON.stringify(request.body) });
      };
      for (const spelling of ['', '/', '/mcp']) {
        const listed = await tools(whole() + spelling, `Bearer ${body.access_token}`);
        expect(listed.status).toBe(200);
      }
      const again = { grant_type: 'refresh_token', client_id: client.clientId, resource };
      const refresh = { ...again, refresh_token: body.refresh_token };
      expect((await requestToken(server, refresh)).status).toBe(200);
    });

    it('a person is shown its integrations, as for its own client', async () => {
      const late = await createClient(server, { authMode: 'user_token' });
      await server.call(
        'POST',
        `/applications/${application.clientId}/integrations/${late.integrationId}`,
      );
      for (const client of [await registered(), application]) {
        const parameters = { ...authorizeParameters(client, createPkce()), resource: whole() };
        const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
        const page = await (await browser.get(response.headers.get('location') ?? '')).text();
        expect(page).toMatch(/Docs <[^>]*>– no account needed/);
        expect(page).toMatch(/Docs <[^>]*>– with your own account/);
        expect(page.includes('nobody has verified it')).toBe(client !== application);
      }
    });

    it('may name URLs of its integrations with it, and of no other application', async () => {
      const client = await registered();
      const other = await createClient(server, { allowDynamicClients: true });
      const both = { resource: [whole(), application.mcpUrl] };
      const { body } = await obtainTokens(server, browser, client, both);
      const headers = { authorization: `Bearer ${body.access_token}` };
      const answer = await fetch(application.mcpUrl, { method: 'POST', headers, body: '{}' });
      expect(answer.status).toBe(502);
      const mixed = [whole(), `${server.origin}/mcp/${other.clientId}`];
      const parameters = { ...authorizeParameters(client, createPkce()), resource: mixed };
      const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
      expect(await response.text()).toContain('invalid_target');
    });

    it('is let in only where such clients are', async () => {
      const { clientId } = await createClient(server);
      const client = await registered();
      const resource = `${server.origin}/mcp/${clientId}`;
      const parameters = { ...authorizeParameters(client, createPkce()), resource };
      const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
      const page = await browser.get(response.headers.get('location') ?? '');
      expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(clientId)]);
    });

    it('gets nothing while that URL is not served', async () => {
      const setMode = (mode: string) =>
        server.call('PATCH', `/applications/${application.clientId}`, {
          body: { aggregate: { mode } },
        });
      await setMode('off');
      await expectInvalidTarget(whole());
      await setMode('list');
      const client = await registered();
      const tokens = await obtainTokens(server, browser, client, { resource: whole() });
      expect(tokens.status).toBe(200);
    });
  });

  it('gets no error by redirect before a person has pressed a button', async () => {
    const client = await registered();
    const parameters = authorizeParameters(client, createPkce());
    const bad = { ...parameters, code_challenge_method: 'plain', state: 's' };
    const response = await browser.get(`/oauth/authorize?${parametersOf(bad)}`);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const back = await authorize(server, browser, { ...parameters, state: 's' }, 'deny');
    expect(Object.fromEntries(back)).toMatchObject({ error: 'access_denied', state: 's' });
  });

  it('is shown to a person as unverified', async () => {
    const client = await registered({ client_name: '<b>Bank</b>' });
    const parameters = authorizeParameters(client, createPkce());
    const response = await browser.get(`/oauth/authorize?${parametersOf(parameters)}`);
    const page = await (await browser.get(response.headers.get('location') ?? '')).text();
    expect(page).toContain('nobody has verified it');
    expect(page).toContain('app.example.com');
    expect(page).toContain('&lt;b&gt;Bank&lt;/b&gt;');
    expect(page).not.toContain('<b>Bank');
  });

  it('loses its grants when the application stops allowing such clients', async () => {
    const client = await registered();
    const { body } = await obtainTokens(server, browser, client);
    await setAllowed(false);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    await setAllowed(true);
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  });
});

describe('where another application does not allow them', () => {
  it('the page names the client id and redirect URI, and only managers of that application can allow dynamic clients', async () => {
    const strict = await createClient(server);
    const client = { ...(await registered()), mcpUrl: strict.mcpUrl };
    const parameters = authorizeParameters(client, createPkce());
    const { id } = await server.addMember('member');
    const pageFor = async (visitor: Browser) => {
      const response = await visitor.get(`/oauth/authorize?${parametersOf(parameters)}`);
      const page = await visitor.get(response.headers.get('location') ?? '');
      expect(page.status).toBe(403);
      return page.text();
    };
    const member = await signedInBrowser(server, id);
    const shown = await pageFor(member);
    expect(shown).toContain(strict.clientId);
    expect(shown).toContain(REDIRECT_URI);
    expect(shown).not.toContain('allow_dynamic_clients');
    const managed = await pageFor(browser);
    const allowed = await browser.submit(managed, { decision: 'allow_dynamic_clients' });
    expect(allowed.status).toBe(303);
    expect((await authorize(server, browser, parameters)).get('code')).toMatch(/^gh_ac_/);
    const { body } = await server.call('GET', `/applications/${strict.clientId}/oauth`);
    expect(body.oauth.allowDynamicClients).toBe(true);
  });
});

describe('a client with a metadata document', () => {
  const URL = 'https://client.example/metadata.json';
  const document = { client_id: URL, client_name: 'Editor', redirect_uris: [REDIRECT_URI] };

  /** Finds clients with these answers, one after another; an error when they run out. */
  function finding(...answers: readonly (Partial<EgressResponse> & { json?: unknown })[]) {
    const left = [...answers];
    let requests = 0;
    const egress = {
      request: async () => {
        requests += 1;
        const answer = left.shift();
        if (answer === undefined) throw new Error('unreachable');
        const body = Buffer.from(JSON.stringify(answer.json ?? document));
        return { status: 200, headers: {}, body, isTruncated: false, ...answer };
      },
    };
    const applications = { allowDynamicClients: async () => true };
    const clients = createDynamicClients({ store: server.store, egress, applications });
    const find = (url = URL, source = '192.0.2.1') => clients.find(url, source);
    return { find, requests: () => requests };
  }

  it('has its document fetched once, even for many requests at the same time', async () => {
    const { find, requests } = finding({});
    const found = await Promise.all(Array.from({ length: 20 }, () => find()));
    expect(found[0]).toMatchObject({ clientId: URL, name: 'Editor', redirectUris: [REDIRECT_URI] });
    expect(await find()).toEqual(found[0]);
    expect(requests()).toBe(1);
  });

  it.each([
    ['of another client', { json: { ...document, client_id: `${URL}2` } }],
    ['without redirect URIs', { json: { client_id: URL } }],
    ['that is not there', { status: 404 }],
    ['that redirects', { status: 302 }],
    ['that is too long', { isTruncated: true }],
    ['that is not JSON', { body: Buffer.from('<html>') }],
  ])('is unknown when its document is one %s', async (_, answer) => {
    const { find } = finding(answer, answer);
    expect(await find()).toBeUndefined();
  });

  it('is refused by a page that says so when the document cannot be read', async () => {
    await setAllowed(true);
    const client = { ...application, clientId: 'https://127.0.0.1:9/client.json' };
    const asked = parametersOf(authorizeParameters(client, createPkce()));
    const response = await browser.get(`/oauth/authorize?${asked}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'a document on its own website, which could not be read',
    );
  });

  describe('to which a person has agreed', () => {
    const outage = { status: 503 };

    beforeAll(async () => {
      const now = new Date();
      const kept = {
        name: 'Editor',
        redirectUris: [REDIRECT_URI],
        createdAt: now,
        lastUsedAt: now,
      };
      await server.store.db.dynamicClient.create({ data: { id: URL, ...kept } });
    });

    it.each([
      ['does not answer', []],
      ['answers 503', [outage]],
      ['answers with the page of a proxy', [{ body: Buffer.from('<html>') }]],
    ])('is known while its host %s', async (_, answers) => {
      expect(await finding(...answers).find()).toMatchObject({ clientId: URL, name: 'Editor' });
    });

    it.each([
      ['404', { status: 404 }],
      ['410', { status: 410 }],
      ['the document of another client', { json: { ...document, client_id: `${URL}2` } }],
    ])('is unknown once its host answers %s', async (_, answer) => {
      expect(await finding(answer).find()).toBeUndefined();
    });

    it('has the redirect URIs that its document lists now', async () => {
      const redirect_uris = ['https://new.example/callback'];
      const { find } = finding({ json: { ...document, redirect_uris } });
      expect(await find()).toMatchObject({ redirectUris: redirect_uris });
    });

    describe('has grants that', () => {
      const other = 'http://localhost:7777/callback';
      const grantAt = async (redirectUri: string) => {
        const redirectUris = [REDIRECT_URI, 'http://localhost/callback'];
        await server.store.db.dynamicClient.update({ where: { id: URL }, data: { redirectUris } });
        return insertGrant(server, application.clientId, { clientId: URL, redirectUri });
      };
      const isThere = async ({ id }: { id: string }) =>
        (await server.store.db.grant.count({ where: { id } })) === 1;

      it.each([
        ['its document is gone', { status: 404 }],
        [
          'its document lists their redirect URI no longer',
          { json: { ...document, redirect_uris: ['https://new.example/'] } },
        ],
      ])('end when %s', async (_, answer) => {
        const grants = await Promise.all(Array.from({ length: 51 }, () => grantAt(REDIRECT_URI)));
        await finding(answer).find();
        expect(await Promise.all(grants.map(isThere))).not.toContain(true);
      });

      it.each([
        ['its host fails', outage, REDIRECT_URI],
        [
          'it lists more',
          { json: { ...document, redirect_uris: [REDIRECT_URI, 'https://new.example/'] } },
          REDIRECT_URI,
        ],
        [
          'the port of a loopback address differs',
          { json: { ...document, redirect_uris: ['http://localhost/callback'] } },
          other,
        ],
      ])('stay when %s', async (_, answer, redirectUri) => {
        const grant = await grantAt(redirectUri);
        await finding(answer).find();
        expect(await isThere(grant)).toBe(true);
      });
    });
  });

  it.each([
    ['https://client.example/metadata.json', true],
    ['https://client.example/a?b', true],
    ['http://client.example/metadata.json', false],
    ['https://client.example/', false],
    ['https://client.example', false],
    ['https://client.example/a#b', false],
    ['https://user@client.example/a', false],
    ['https://client.example/a/../b', false],
    ['https://client.example/%2e%2e/b', false],
    ['https://CLIENT.example/a', false],
    ['https://client.example:443/a', false],
    [' https://client.example/a', false],
  ])('%s may be a client id: %s', (url, may) => {
    expect(isDocumentUrl(url)).toBe(may);
  });
});
