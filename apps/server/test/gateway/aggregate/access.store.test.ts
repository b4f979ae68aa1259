import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../authorization-server/browser.ts';
import {
  obtainTokens,
  type Parameters,
  requestToken,
  signedInBrowser,
} from '../../authorization-server/fixture.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { jsonOf, modernRequest } from '../connect-fixture.ts';
import { clientOf, startGateway, useFixture } from '../fixture.ts';

const SECRET = 'secret-of-the-upstream';
const REDIRECT_URI = 'http://localhost/callback';
const CONNECT = 'gatehouse__connect_account';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const upstream = use(() => startUpstream({ requireBearer: SECRET }));
let browser: Browser;

beforeAll(async () => {
  browser = await signedInBrowser(fixture.server);
});

const url = (origin = fixture.server.origin) => `${origin}/mcp/${fixture.applicationId}`;

const shared = (name: string) =>
  fixture.integrate({ name, url: upstream.url, authMode: 'server_token', serverToken: SECRET });

const personal = (name: string) =>
  fixture.integrate({ name, url: upstream.url, authMode: 'user_token' });

/** An access token of the fixture's application. */
async function tokenFor(integrationId: string, parameters: Parameters = {}): Promise<string> {
  const client = {
    clientId: fixture.applicationId,
    clientSecret: undefined,
    integrationId,
    mcpUrl: fixture.urlOf(integrationId),
  };
  const asked = { redirect_uri: REDIRECT_URI, ...parameters };
  const { body } = await obtainTokens(fixture.server, browser, client, asked);
  return body.access_token;
}

const metadataUrlOf = (path: string) =>
  `${fixture.server.origin}/.well-known/oauth-protected-resource${path}`;

describe('a client without a usable token', () => {
  it.each(['', '/', '/mcp', '/mcp/'])('finds the metadata of <url>%s', async (end) => {
    const { pathname } = new URL(url() + end);
    const refused = await send(url() + end, { token: null, ...modernRequest('tools/list') });
    expect(refused.status).toBe(401);
    const metadataUrl = metadataUrlOf(pathname);
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="mcp"`,
    );
    expect(await (await fetch(metadataUrl)).json()).toMatchObject({
      resource: url() + end,
      authorization_servers: [fixture.server.origin],
      scopes_supported: ['mcp'],
    });
  });

  it('finds the metadata of this URL, also if its token is for one integration', async () => {
    const token = await tokenFor(await shared('Pair'));
    for (const options of [modernRequest('tools/list'), { method: 'GET' }, { method: 'DELETE' }]) {
      const refused = await send(url(), { token, ...options });
      expect(refused.status).toBe(401);
      const { pathname } = new URL(url());
      expect(refused.headers['www-authenticate']).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadataUrlOf(pathname)}", scope="mcp"`,
      );
    }
  });
});

/** What the last list says of an integration. */
async function stateOf(alias: string, token: string): Promise<unknown> {
  const { result } = await jsonOf(await send(url(), { token, ...modernRequest('tools/list') }));
  const states: { alias: string; state: string }[] = result._meta['gatehouse/integrations'];
  return states.find((one) => one.alias === alias)?.state;
}

describe.each(['legacy', 'modern'] as const)('an application that acts for itself, %s', (era) => {
  it("uses what needs no person, and is refused a person's own account", async () => {
    const [name, own] = [`Shared ${era}`, `Own ${era}`];
    await shared(name);
    const ownId = await personal(own);
    const { server, applicationId } = fixture;
    await fixture.api('PATCH', `/applications/${applicationId}/oauth`, { type: 'confidential' });
    const rotated = await fixture.api('POST', `/applications/${applicationId}/rotate-secret`, {});
    const { body } = await requestToken(server, {
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: rotated.body.oauth.clientSecret,
    });
    await fixture.api('PATCH', `/applications/${applicationId}/oauth`, { type: 'public' });
    const token: string = body.access_token;
    const client = await connectMcpClient({ url: url(), era, bearer: token });
    const tools = await client.listTools();
    expect(tools).toContain(`shared-${era}__echo`);
    expect(tools.filter((tool) => tool.startsWith('own-') || tool === CONNECT)).toEqual([]);
    expect(await client.callTool(`shared-${era}__echo`, { text: 'hello' })).toContain('hello');
    await expect(client.callTool(`own-${era}__echo`)).rejects.toMatchObject({
      code: -31005,
      data: { code: 'forbidden', integrationId: ownId },
    });
    await expect(client.callTool(CONNECT, { integration: `own-${era}` })).rejects.toThrow();
    expect(await stateOf(`own-${era}`, token)).toBe('refused');
    await client.close();
  });
});

describe.each(['legacy', 'modern'] as const)('an integration that joined later, %s', (era) => {
  it('awaits consent and account by one link, and is used once its person has given both', async () => {
    const early = await shared(`Early ${era}`);
    const token = await tokenFor(early, { resource: url() });
    const late = await personal(`Late ${era}`);
    await shared(`Open ${era}`);
    const client = await connectMcpClient({ url: url(), era, bearer: token });
    const tools = await client.listTools();
    expect(tools).toEqual(
      expect.arrayContaining([`early-${era}__echo`, `open-${era}__echo`, CONNECT]),
    );
    expect(tools).not.toContain(`late-${era}__echo`);
    const told = await client.callTool(CONNECT, { integration: `late-${era}` });
    const link = /http:\S+\/connect\?integration=[\w-]+&grant=[\w-]+/.exec(told)?.[0] ?? '';
    await expect(client.callTool(`late-${era}__echo`)).rejects.toMatchObject({
      code: -31001,
      data: { reason: 'consent_required', integrationId: late, connectUrl: link },
    });
    const page = await browser.get(link);
    await browser.submit(await page.text(), { decision: 'allow' });
    const next = await client.callTool(CONNECT, { integration: `late-${era}` });
    expect(next).toContain(`/connect?integration=${late}\n`);
    const form = await browser.get(`/connect?connected=${late}`);
    await browser.submit(await form.text(), { decision: 'save', token: SECRET });
    expect(await client.listTools()).toContain(`late-${era}__echo`);
    expect(await client.callTool(`late-${era}__echo`, { text: 'hello' })).toContain('hello');
    await client.close();
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('on another node', () => {
  const other = use(async () =>
    startGateway(await fixture.server.store.openAnotherNode(), {
      publicUrl: fixture.server.origin,
    }),
  );

  it('an agreement has effect within a second', async () => {
    const token = await tokenFor(await shared('Before'), { resource: url() });
    const late = await personal('After');
    await fixture.api('POST', `/integrations/${late}/connection`, { token: SECRET });
    const call = modernRequest('tools/call', { name: 'after__echo', arguments: { text: 'hello' } });
    const answer = async () => jsonOf(await send(url(other.origin), { token, ...call }));
    const { error } = await answer();
    const page = await browser.get(error.data.connectUrl);
    await browser.submit(await page.text(), { decision: 'allow' });
    await expect.poll(answer, { timeout: 1_000 }).toHaveProperty('result');
  });
});
