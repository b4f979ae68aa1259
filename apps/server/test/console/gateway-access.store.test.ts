import { randomUUID } from 'node:crypto';
import { startUpstream, type Upstream } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { openClient } from '../gateway/aggregate/aggregate-client.ts';
import { type Browser, signedInBrowser } from '../support/browser.ts';
import { type Called, useServer } from '../support/server.ts';
import { use } from '../support/use.ts';

const ELSEWHERE = 'https://elsewhere.example';
const UNKNOWN = '0190d3a0-0000-7000-8000-000000000000';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const server = useServer({ allowedOrigins: [ELSEWHERE] });
const upstream: Upstream = use(() => startUpstream({ era: 'legacy' }));
let person: { readonly id: string; readonly organizationId: string };
let browser: Browser;
let applicationId: string;
let integrationId: string;
let resource: string;
/** Of all integrations of the application. */
let oneUrl: string;

beforeEach(async () => {
  const { id } = await server.addMember('member');
  person = await server.store.db.user.findUniqueOrThrow({ where: { id } });
  browser = await signedInBrowser(server, person);
  applicationId = await newApplication();
  integrationId = await newIntegration();
  await attach();
  resource = urlOf(integrationId);
  oneUrl = `${server.origin}/mcp/${applicationId}`;
});

const api = async (method: string, path: string, body?: unknown): Promise<Called> => {
  const called = await server.call(method, path, body === undefined ? {} : { body });
  expect(called.status, called.text).toBeLessThan(300);
  return called;
};
const urlOf = (integration: string, application = applicationId) =>
  `${server.origin}/mcp/${application}/${integration}`;

async function newApplication(): Promise<string> {
  const oauth = { type: 'public', redirectUris: ['http://localhost/callback'] };
  const { body } = await api('POST', '/applications', { name: 'Assistant', oauth });
  return body.application.id;
}

async function newIntegration(fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await api('POST', '/integrations', {
    name: 'Reference',
    url: upstream.url,
    ...fields,
  });
  return body.integration.id;
}

const attach = (integration = integrationId) =>
  api('POST', `/applications/${applicationId}/integrations/${integration}`);

async function moveToAnotherOrganization(): Promise<void> {
  const data = { id: randomUUID(), name: 'Other', createdAt: new Date() };
  const { id: organizationId } = await server.store.db.organization.create({ data });
  await server.store.db.application.update({
    where: { id: applicationId },
    data: { organizationId },
  });
}

interface Asked {
  readonly from?: Browser;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(named: unknown, { from = browser, headers = {} }: Asked = {}) {
  const { status, text } = await from.send('POST', '/console/token', {
    headers: { origin: server.origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ resource: named }),
  });
  return { status, body: JSON.parse(text) };
}

async function tokenFor(named = resource, from = browser): Promise<string> {
  const { status, body } = await ask(named, { from });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.accessToken;
}

async function pingWith(token: string, url = resource): Promise<number> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: PING,
  });
  return status;
}

async function isRefused(token: string, url = resource): Promise<boolean> {
  return (await pingWith(token, url)) === 401;
}

describe('POST /console/token with a resource', () => {
  it('answers a token of the person for that gateway URL, for ten minutes', async () => {
    const { status, body } = await ask(resource);
    expect(status).toBe(200);
    expect(body.accessToken).toMatch(/^gh_at_/);
    const minutes = (Date.parse(body.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9.5);
    expect(minutes).toBeLessThanOrEqual(10);
    expect(await isRefused(body.accessToken)).toBe(false);
  });

  it('answers one for a person who does not own the application, as for every other client of it', async () => {
    const { ownerUserId } = await server.store.db.application.findUniqueOrThrow({
      where: { id: applicationId },
    });
    expect(ownerUserId).not.toBe(person.id);
    expect(await isRefused(await tokenFor())).toBe(false);
  });

  it('takes the URL in each of its spellings, and no other', async () => {
    for (const named of [`${resource}/mcp/`, oneUrl, `${oneUrl}/mcp`]) await tokenFor(named);
    for (const named of [
      urlOf(integrationId, 'x'),
      `${server.origin}/mcp`,
      `${server.origin}/api/v1`,
      resource.replace('http://', 'https://'),
      `https://evil.example/mcp/${applicationId}/${integrationId}`,
      `${resource}?x=1`,
      '',
      null,
      7,
      'a'.repeat(3_000),
    ]) {
      const { status, body } = await ask(named);
      expect([status, body.code, body.errors[0].pointer], String(named)).toEqual([
        400,
        'validation_failed',
        '/resource',
      ]);
    }
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that may call the API', { origin: ELSEWHERE }],
    ['a page that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_from, headers) => {
    const { status, body } = await ask(resource, { headers });
    expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
    expect(await server.store.db.grant.count({ where: { userId: person.id } })).toBe(0);
  });

  it('refuses a browser session that is over', async () => {
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000);
    const where = { userId: person.id };
    await server.store.db.browserSession.updateMany({ where, data: { lastSeenAt: days(8) } });
    expect((await ask(resource)).status).toBe(401);
  });

  it('answers no token that lasts longer than the browser session', async () => {
    const almost = new Date(Date.now() - 30 * 24 * 3_600_000 + 60_000);
    await server.store.db.browserSession.updateMany({
      where: { userId: person.id },
      data: { createdAt: almost },
    });
    const { body } = await ask(resource);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it.each([
    ['an unknown application', () => urlOf(integrationId, UNKNOWN)],
    ['an unknown integration', () => urlOf(UNKNOWN)],
    ['the one URL of an unknown application', () => `${server.origin}/mcp/${UNKNOWN}`],
    [
      'the one URL of an application where it is off',
      async () => {
        await api('PATCH', `/applications/${applicationId}`, { aggregate: { mode: 'off' } });
        return oneUrl;
      },
    ],
    [
      'the one URL of an archived application',
      async () => {
        await api('DELETE', `/applications/${applicationId}`);
        return oneUrl;
      },
    ],
    [
      'a detached pair',
      async () => {
        await api('DELETE', `/applications/${applicationId}/integrations/${integrationId}`);
        return resource;
      },
    ],
    [
      'an archived application',
      async () => {
        await api('DELETE', `/applications/${applicationId}`);
        return resource;
      },
    ],
    [
      'an archived integration',
      async () => {
        await api('DELETE', `/integrations/${integrationId}`);
        return resource;
      },
    ],
    [
      'the application of another organization',
      async () => {
        await moveToAnotherOrganization();
        return resource;
      },
    ],
    [
      'the one URL of an application of another organization',
      async () => {
        await moveToAnotherOrganization();
        return oneUrl;
      },
    ],
  ])('answers 404 for %s', async (_what, prepare) => {
    const { status, body } = await ask(await prepare());
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('answers 404 where the gateway does not proxy', async () => {
    const hidden = await newIntegration({ category: 'internal_mcp_credentials' });
    await attach(hidden);
    const { status, body } = await ask(urlOf(hidden));
    expect([status, body.code]).toEqual([404, 'not_proxied']);
  });

  it('answers 403 with the reasons where rules about people exclude the person', async () => {
    await api('PUT', `/integrations/${integrationId}/policy`, { roles: ['admin'] });
    const { status, body } = await ask(resource);
    expect([status, body.code]).toEqual([403, 'policy_refused']);
    expect(body.reasons).toEqual([expect.objectContaining({ level: 'integration' })]);
  });
});

describe('such a token', () => {
  it('is refused at every other URL', async () => {
    const other = await newIntegration();
    await attach(other);
    const token = await tokenFor();
    expect(await pingWith(token, urlOf(other))).toBe(401);
    expect((await server.call('GET', '/me', { token })).status).toBe(401);
    expect(await isRefused(token)).toBe(false);
  });

  it('belongs to one grant for each URL, which its person sees and ends', async () => {
    const token = await tokenFor();
    const second = await tokenFor();
    const own = {
      token: JSON.parse((await browser.send('POST', '/console/token', ownPage())).text).accessToken,
    };
    const { body } = await server.call('GET', '/grants', own);
    expect(body.items).toEqual([
      expect.objectContaining({
        applicationId,
        clientId: 'console',
        clientName: 'The console',
        resources: [resource],
        scopes: ['mcp'],
      }),
    ]);
    const { text } = await browser.open('/account');
    expect(text).toContain('>The console</h3>');
    expect(text).not.toContain('It gave itself this name');
    await server.call('DELETE', `/grants/${body.items[0].id}`, own);
    expect([await isRefused(token), await isRefused(second)]).toEqual([true, true]);
    expect(await isRefused(await tokenFor())).toBe(false);
  });

  it('shares its grant with others that are asked for at the same moment', async () => {
    const tokens = await Promise.all([tokenFor(), tokenFor(), tokenFor()]);
    expect(new Set(tokens).size).toBe(3);
    expect(await server.store.db.grant.count({ where: { userId: person.id } })).toBe(1);
  });

  it.each([
    ['signing out of the console', () => browser.send('POST', '/console/sign-out', ownPage())],
    ['signing out', () => browser.submit('/account', {}, { action: '/sign-out' })],
    [
      'signing out everywhere from another browser',
      async () =>
        (await signedInBrowser(server, person)).submit(
          '/account',
          { everywhere: '1' },
          { action: '/sign-out' },
        ),
    ],
    ['the loss of all access', () => api('POST', `/members/${person.id}/revoke-access`)],
    ['the removal of the member', () => api('DELETE', `/members/${person.id}`)],
    ['the archiving of the application', () => api('DELETE', `/applications/${applicationId}`)],
    [
      'the revocation of the application',
      () => api('POST', `/applications/${applicationId}/revoke-access`),
    ],
    [
      'the detachment of the integration',
      () => api('DELETE', `/applications/${applicationId}/integrations/${integrationId}`),
    ],
  ])('ends with %s', async (_what, end) => {
    const token = await tokenFor();
    expect(await isRefused(token)).toBe(false);
    await end();
    expect(await isRefused(token)).toBe(true);
  });

  it('does not end with another browser session of its person, nor by what binds the clients of the application', async () => {
    const other = await signedInBrowser(server, person);
    const token = await tokenFor();
    await other.send('POST', '/console/sign-out', ownPage());
    const oauth = `/applications/${applicationId}/oauth`;
    await api('PATCH', oauth, { allowDynamicClients: true });
    await api('PATCH', oauth, { allowDynamicClients: false });
    expect(await isRefused(token)).toBe(false);
  });

  it('is nothing to a client that introspects or revokes it', async () => {
    const created = await api('POST', '/applications', {
      name: 'Other',
      oauth: { type: 'confidential', redirectUris: [] },
    });
    const { clientId, clientSecret } = created.body.oauth;
    const token = await tokenFor();
    for (const path of ['introspect', 'revoke']) {
      await fetch(`${server.origin}/oauth/${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ token }),
      }).then(async (response) => {
        expect(response.status, path).toBeLessThan(500);
        expect(await response.text()).not.toContain('"active":true');
      });
    }
    expect(await isRefused(token)).toBe(false);
  });
});

describe('such a token for the one URL of an application', () => {
  it('lists and calls what the person may use', async () => {
    const client = await openClient(oneUrl, await tokenFor(oneUrl), 'legacy');
    const { names, states } = await client.listTools();
    expect(names).toContain('reference__echo');
    expect(states.reference).toMatch(/^ok /);
    const { text } = await client.call('reference__echo', { text: 'from the console' });
    expect(text).toContain('from the console');
  });

  it('neither lists nor calls what rules about people exclude the person from', async () => {
    await api('PUT', `/integrations/${integrationId}/policy`, { roles: ['admin'] });
    const client = await openClient(oneUrl, await tokenFor(oneUrl), 'legacy');
    expect(await client.listTools()).toEqual({ names: [], states: {} });
    const { body } = await client.call('reference__echo');
    expect(body.error.code).toBe(-31003);
  });

  it('is refused at another application and at the management API', async () => {
    const token = await tokenFor(oneUrl);
    expect(await pingWith(token, `${server.origin}/mcp/${await newApplication()}`)).toBe(401);
    expect((await server.call('GET', '/me', { token })).status).toBe(401);
    expect(await isRefused(token, oneUrl)).toBe(false);
  });

  it('covers the integrations that are attached when it is given, and no later one', async () => {
    const covered = async () => {
      const where = { userId: person.id };
      return (await server.store.db.grant.findFirstOrThrow({ where })).integrationIds;
    };
    await attach(await newIntegration({ category: 'internal_mcp_credentials' }));
    await tokenFor(oneUrl);
    expect(await covered()).toEqual([integrationId]);
    const later = await newIntegration();
    await attach(later);
    expect(await covered()).toEqual([integrationId]);
    await tokenFor(oneUrl);
    expect(await covered()).toEqual([integrationId, later]);
  });

  it('ends with signing out of the console', async () => {
    const token = await tokenFor(oneUrl);
    expect(await isRefused(token, oneUrl)).toBe(false);
    await browser.send('POST', '/console/sign-out', ownPage());
    expect(await isRefused(token, oneUrl)).toBe(true);
  });
});

function ownPage() {
  return {
    headers: { origin: server.origin, 'content-type': 'application/json' },
    body: '{}',
  };
}
