import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorizeParameters,
  type ClientOptions,
  createClient,
  createPkce,
  parametersOf,
  redeemParameters,
  requestToken,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
const db = () => server.store.db;

/** A page of ours, or the parameters with which the browser left for the client. */
interface Place {
  readonly status: number;
  readonly path: string;
  readonly text: string;
  readonly left: URLSearchParams | undefined;
}

async function follow(browser: Browser, first: Response): Promise<Place> {
  let response = first;
  for (let step = 0; step < 8; step += 1) {
    const location = response.headers.get('location');
    if (location === null) {
      const { status } = response;
      const path = new URL(response.url).pathname;
      return { status, path, text: await response.text(), left: undefined };
    }
    const url = new URL(location, server.origin);
    if (url.origin !== server.origin) {
      return { status: 303, path: '', text: '', left: url.searchParams };
    }
    response = await browser.get(url.href);
  }
  throw new Error('The redirects do not end.');
}

const submit = async (browser: Browser, { text }: Place, values: Record<string, string>) =>
  follow(browser, await browser.submit(text, values));

const save = (browser: Browser, place: Place, values: Record<string, string> = {}) =>
  submit(browser, place, { decision: 'save', ...values });

async function begin(browser: Browser, client: TestClient, pkce = createPkce()): Promise<Place> {
  const parameters = parametersOf(authorizeParameters(client, pkce));
  return follow(browser, await browser.get(`/oauth/authorize?${parameters}`));
}

async function allow(browser: Browser, client: TestClient, pkce = createPkce()): Promise<Place> {
  return submit(browser, await begin(browser, client, pkce), { decision: 'allow' });
}

async function createMember(): Promise<{ readonly id: string; readonly browser: Browser }> {
  const { id } = await server.addMember('member');
  return { id, browser: await signedInBrowser(server, id) };
}

async function createUserTokenClient(
  credentialSchema?: object,
  options: ClientOptions = {},
): Promise<TestClient> {
  const client = await createClient(server, { authMode: 'user_token', ...options });
  if (credentialSchema !== undefined) await change(client, { credentialSchema });
  return client;
}

async function change({ integrationId }: TestClient, body: object): Promise<void> {
  const { status } = await server.call('PATCH', `/integrations/${integrationId}`, { body });
  expect(status).toBe(200);
}

const connectionsOf = (userId: string) => db().connection.count({ where: { userId } });
const grantsOf = (userId: string) => db().grant.count({ where: { userId } });

describe('after consent', () => {
  it('a person gives the credential that is missing, and only then returns with the code', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const pkce = createPkce();
    const page = await allow(browser, client, pkce);
    expect([page.status, page.path]).toEqual([200, expect.stringMatching(/\/connect$/)]);
    expect(page.text).toContain('<strong>Docs</strong> with your own account');
    expect(page.text).toContain('127.0.0.1:9 only');
    expect(page.text).toMatch(/<input id="token" name="token" type="password"/);
    expect(await grantsOf(id)).toBe(0);

    const { left } = await save(browser, page, { token: 'sesame-1' });
    const code = left?.get('code') ?? '';
    const answer = await requestToken(server, redeemParameters(client, pkce, code));
    expect(answer.status).toBe(200);
    expect(await connectionsOf(id)).toBe(1);
    // Nothing listens upstream: that it was tried shows that the credential was found.
    const headers = { authorization: `Bearer ${answer.body.access_token}` };
    expect((await fetch(client.mcpUrl, { method: 'POST', headers, body: '{}' })).status).toBe(502);
  });

  it('the page says when applications can receive the credential', async () => {
    const client = await createUserTokenClient();
    await change(client, { category: 'internal_mcp_credentials' });
    const { browser } = await createMember();
    const { text } = await allow(browser, client);
    expect([text.includes('never sees it'), text.includes('handed out to applications')]).toEqual([
      false,
      true,
    ]);
  });

  it('"Later" returns with the code and stores nothing', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    const { left } = await submit(browser, page, { decision: 'later', token: 'sesame-1' });
    expect(left?.get('code')).toMatch(/^gh_/);
    expect([await connectionsOf(id), await grantsOf(id)]).toEqual([0, 1]);
  });

  it('returns at once if no credential is missing', async () => {
    const { browser } = await createMember();
    const client = await createClient(server, { authMode: 'none' });
    expect((await allow(browser, client)).left?.has('code')).toBe(true);
    const connected = await createUserTokenClient();
    await save(browser, await allow(browser, connected), { token: 'sesame-1' });
    await db().consent.deleteMany();
    expect((await allow(browser, connected)).left?.has('code')).toBe(true);
  });

  it('a remembered consent leads to the same page, without asking again', async () => {
    const client = await createUserTokenClient();
    const { browser } = await createMember();
    await submit(browser, await allow(browser, client), { decision: 'later' });
    const again = await begin(browser, client);
    expect(again.path).toMatch(/\/connect$/);
    expect((await save(browser, again, { token: 'sesame-1' })).left?.has('code')).toBe(true);
    expect((await begin(browser, client)).left?.has('code')).toBe(true);
  });

  it('a credential that was rejected, or is for another host, is asked for again', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const give = async () => save(browser, await begin(browser, client), { token: 'sesame-1' });
    await submit(browser, await allow(browser, client), { decision: 'later' });
    await give();
    expect((await begin(browser, client)).left?.has('code')).toBe(true);
    await db().connection.updateMany({
      where: { userId: id },
      data: { reason: 'rejected_upstream' },
    });
    expect((await begin(browser, client)).text).toContain('no longer works');
    await give();
    await change(client, { url: 'http://127.0.0.1:10/mcp' });
    expect((await begin(browser, client)).text).toContain('no longer works');
  });

  it('several missing credentials are asked for one after another, and "Later" skips the rest', async () => {
    const client = await createUserTokenClient();
    const names = ['Able', 'Baker', 'Zulu'];
    for (const name of names) {
      const body = { name, url: 'http://127.0.0.1:9/mcp', authMode: 'user_token' };
      const created = await server.call('POST', '/integrations', { body });
      const id = created.body.integration.id;
      await server.call('POST', `/applications/${client.clientId}/integrations/${id}`);
    }
    const { id, browser } = await createMember();
    const whole = { ...client, mcpUrl: `${server.origin}/mcp/${client.clientId}` };
    let page = await allow(browser, whole);
    for (const name of ['Able', 'Baker']) {
      expect(page.text).toContain(`<h1>Connect ${name}</h1>`);
      page = await save(browser, page, { token: `sesame-${name}` });
    }
    expect(page.text).toContain('<h1>Connect Docs</h1>');
    expect((await submit(browser, page, { decision: 'later' })).left?.has('code')).toBe(true);
    expect(await connectionsOf(id)).toBe(2);
  });
});

describe('the form for a credential', () => {
  const schema = {
    required: ['key', 'region'],
    properties: {
      key: { type: 'string', title: 'API key', description: 'From your profile.', minLength: 6 },
      region: { type: 'string', enum: ['eu', 'us'] },
      account: { type: 'integer', title: 'Account number' },
      email: { type: 'string', format: 'email' },
      beta: { $ref: '#/$defs/flag' },
      'we ird"<name>': { type: 'string' },
    },
    $defs: { flag: { type: 'boolean', title: 'Beta features' } },
  };
  const schemaWithHeaders = {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, property], i) => [
        name,
        { ...property, 'x-header': `x-field-${i}` },
      ]),
    ),
  };

  it('is built from the credential schema', async () => {
    const { browser } = await createMember();
    const { text } = await allow(browser, await createUserTokenClient(schemaWithHeaders));
    expect(text).toContain('<label for="field-key">API key</label>');
    expect(text).toMatch(
      /<input id="field-key" name="field-key" type="password" autocomplete="new-password" required aria-describedby="field-key-hint">/,
    );
    expect(text).toContain('<p class="hint" id="field-key-hint">From your profile.</p>');
    expect(text).toMatch(/<select id="field-region" [^>]*required>\s*<option value="">/);
    expect(text).toContain('<label for="field-account">Account number (optional)</label>');
    expect(text).toMatch(/<input id="field-account" [^>]*type="text" [^>]*inputmode="decimal">/);
    expect(text).toMatch(/<input id="field-email" [^>]*type="text"/);
    expect(text).toMatch(
      /Beta features \(optional\)<\/label>\s*<select id="field-beta"[\s\S]*value="true">Yes/,
    );
    expect(text).toContain('we ird&quot;&lt;name&gt; (optional)');
    expect(text).toContain('name="field-we%20ird%22%3Cname%3E"');
  });

  it('stores each value by its type, and leaves out what is empty', async () => {
    const client = await createUserTokenClient(schemaWithHeaders);
    const { id, browser } = await createMember();
    const { left } = await save(browser, await allow(browser, client), {
      'field-key': 'sesame-1',
      'field-region': 'eu',
      'field-account': '42',
      'field-email': '',
      'field-beta': 'false',
      'field-we%20ird%22%3Cname%3E': 'x',
    });
    expect(left?.has('code')).toBe(true);
    expect(await connectionsOf(id)).toBe(1);
  });

  it('says at the field what is wrong, and never sends a secret back', async () => {
    const client = await createUserTokenClient(schemaWithHeaders);
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    const refused = await save(browser, page, {
      'field-key': 'hunt2',
      'field-region': 'us',
      'field-account': '17',
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      '<p class="field-error" id="field-key-error">Must have at least 6 characters.</p>',
    );
    expect(refused.text).toMatch(/aria-describedby="field-key-hint field-key-error"/);
    expect(refused.text).not.toContain('hunt2');
    expect(refused.text).toContain('<option value="us" selected>');
    expect(refused.text).toMatch(/id="field-account"[^>]* value="17"/);
    expect(await connectionsOf(id)).toBe(0);
    const empty = await save(browser, refused, { 'field-key': '', 'field-region': '' });
    expect(empty.text).toContain('id="field-key-error">Required.');
    const unsendable = await save(browser, page, {
      'field-key': 'sésame-1',
      'field-region': 'us',
    });
    expect(unsendable.text).toMatch(/role="alert"><p>A value that is sent must be visible ASCII/);
    expect(unsendable.text).not.toContain('same-1');
  });

  it('says what is wrong with a token', async () => {
    const { browser } = await createMember();
    const page = await allow(browser, await createUserTokenClient());
    expect((await save(browser, page)).text).toContain('id="token-error">Required.');
    const refused = await save(browser, page, { token: 'sesame 1 ' });
    expect(refused.text).toContain('id="token-error">Must be visible ASCII');
    expect(refused.text).not.toContain('sesame');
    const longest = '/'.repeat(8192);
    expect((await save(browser, page, { token: `${longest}/` })).text).toMatch(/token-error">Must/);
    expect((await save(browser, page, { token: longest })).left?.has('code')).toBe(true);
  });
});

describe('between the pages', () => {
  it('a person who has not agreed is sent back to the consent page', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const consent = await begin(browser, client);
    const skipped = await follow(browser, await browser.get(`${consent.path}/connect`));
    expect([skipped.path, skipped.text.includes('value="allow"')]).toEqual([consent.path, true]);
    const text = consent.text.replaceAll(consent.path, `${consent.path}/connect`);
    const posted = await submit(browser, { ...consent, text }, { decision: 'later' });
    expect(posted.path).toBe(consent.path);
    expect(await grantsOf(id)).toBe(0);
  });

  it('an agreement counts for one person: another person in the same browser is asked', async () => {
    const client = await createUserTokenClient();
    const { browser } = await createMember();
    const page = await allow(browser, client);
    const other = await createMember();
    browser.accept(other.browser.cookie('gatehouse'));
    const refused = await browser.submit(page.text, { decision: 'later' });
    expect(refused.status).toBe(403);
    const asked = await follow(browser, await browser.get(page.path));
    expect(asked.path).toBe(page.path.replace('/connect', ''));
    expect(await grantsOf(other.id)).toBe(0);
  });

  it('an agreement alone gives no code', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    const resume = page.path.replace('consent', 'authorize').replace('/connect', '');
    const place = await follow(browser, await browser.get(resume));
    expect([place.left, await grantsOf(id)]).toEqual([undefined, 0]);
  });

  it('an agreement does not cover an integration that joins the application later', async () => {
    const client = await createUserTokenClient();
    const whole = { ...client, mcpUrl: `${server.origin}/mcp/${client.clientId}` };
    const { id, browser } = await createMember();
    const page = await allow(browser, whole);
    const body = { name: 'Later', url: 'http://127.0.0.1:9/mcp', authMode: 'user_token' };
    const created = await server.call('POST', '/integrations', { body });
    const { id: laterId } = created.body.integration;
    await server.call('POST', `/applications/${client.clientId}/integrations/${laterId}`);
    await submit(browser, page, { decision: 'later' });
    const { integrationIds } = await db().grant.findFirstOrThrow({ where: { userId: id } });
    expect(integrationIds).toEqual([client.integrationId]);
    expect((await begin(browser, whole)).text).toContain('value="allow"');
  });

  it.each([
    ['another host', { url: 'http://127.0.0.1:10/mcp' }],
    [
      'another schema',
      { credentialSchema: { properties: { token: { type: 'string', title: 'Pass' } } } },
    ],
  ])('a credential is not stored if the integration now has %s', async (_what, body) => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    await change(client, body);
    const refused = await save(browser, page, { token: 'sesame-1', 'field-token': 'sesame-1' });
    expect([refused.status, refused.left]).toEqual([400, undefined]);
    expect(refused.text).toContain('has changed meanwhile');
    expect(refused.text).not.toContain('sesame');
    expect(await connectionsOf(id)).toBe(0);
  });

  it.each(['archived', 'of another mode'])(
    'an integration that is now %s is no longer asked for',
    async (what) => {
      const client = await createUserTokenClient();
      const { id, browser } = await createMember();
      const page = await allow(browser, client);
      if (what === 'archived') {
        const path = `/integrations/${client.integrationId}`;
        expect((await server.call('DELETE', path)).status).toBe(204);
      } else {
        await change(client, { authMode: 'none' });
      }
      const { left } = await save(browser, page, { token: 'sesame-1' });
      expect(left?.has('code')).toBe(true);
      expect(await connectionsOf(id)).toBe(0);
    },
  );

  it('a removed member stores nothing', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    await server.call('DELETE', `/members/${id}`);
    const { status } = await browser.submit(page.text, { decision: 'save', token: 'sesame-1' });
    expect(status).toBe(403);
    expect(await connectionsOf(id)).toBe(0);
  });

  it('a form from elsewhere is refused', async () => {
    const client = await createUserTokenClient();
    const { id, browser } = await createMember();
    const page = await allow(browser, client);
    const text = page.text.replace(/name="form_token" value="[^"]*"/, 'name="x" value=""');
    const { status } = await browser.submit(text, { decision: 'save', token: 'sesame-1' });
    expect([status, await connectionsOf(id)]).toEqual([403, 0]);
  });
});
