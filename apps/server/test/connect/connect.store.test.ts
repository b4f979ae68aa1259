import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { Browser } from '../authorization-server/browser.ts';
import { createTestOrganization } from '../credentials/fixtures.ts';
import { primaryButtonsIn } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  ALLOWED_ORIGIN,
  arrive,
  comeBack,
  connect,
  connectionsOf,
  createIntegration,
  createLink,
  createMember,
  leave,
  type Member,
  pageOf,
  shownOf,
} from './fixture.ts';

const server = useServer({ allowedOrigins: [ALLOWED_ORIGIN] });
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));
const RETURN_TO = `${ALLOWED_ORIGIN}/done?step=2`;

const oauth = (settings: object = { scopes: ['email', 'read'] }) =>
  createIntegration(server, { url: upstream.url, oauth: settings });

afterEach(() => provider.clearFaults());

describe('a link', () => {
  it('leads to the provider and back to the application, and works once', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const created = await server.call('POST', `/integrations/${id}/connection/authorize`, {
      token: member.token,
      body: { returnTo: RETURN_TO },
    });
    expect(created.status, created.text).toBe(201);
    const path = new URL(created.body.authorizationUrl).pathname;
    const page = await shownOf(await member.browser.get(path));
    for (const told of ['Docs', new URL(upstream.url).host, 'See your email address', 'read']) {
      expect(page.text).toContain(told);
    }
    const url = await leave(member, path);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${server.origin}/oauth/callback/${id}`,
      resource: upstream.url,
      scope: expect.stringContaining('read'),
    });
    const back = await comeBack(member, provider, url);
    expect([back.status, back.refresh]).toEqual([200, `${RETURN_TO}&connected=${id}`]);
    const [connection] = await connectionsOf(server, member);
    expect(connection).toMatchObject({ mode: 'oauth', displayName: 'ada@example.com' });
    // A browser waits two seconds for it at most.
    const validated = () => server.store.db.integration.findUniqueOrThrow({ where: { id } });
    await expect.poll(validated, { timeout: 10_000 }).toMatchObject({ validationStatus: 'valid' });
    const again = await shownOf(await member.browser.get(path));
    expect([again.status, again.title]).toEqual([404, 'This link does not work any more']);
  });

  it('is not used up by looking at it', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    for (let times = 0; times < 3; times += 1) {
      expect((await member.browser.get(path)).status).toBe(200);
    }
    expect((await connect(member, provider, path)).title).toBe('Connected as ada@example.com');
  });

  it('sends a person to sign in first, and back', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    const response = await new Browser(server.origin).get(path);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/sign-in?return_to=${encodeURIComponent(path)}`,
    ]);
  });

  it('can be cancelled, and is used up then', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id, RETURN_TO);
    const page = await (await member.browser.get(path)).text();
    const response = await member.browser.submit(page, { decision: 'cancel' });
    expect([response.status, response.headers.get('location')]).toEqual([303, RETURN_TO]);
    expect((await member.browser.get(path)).status).toBe(404);
  });

  it('goes on working when the provider does not answer', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    const fault = provider.fault('metadata', { kind: 'status', status: 503 });
    const page = await shownOf(await member.browser.get(path));
    expect([page.status, page.title]).toEqual([503, 'Not available at the moment']);
    fault.clear();
    expect((await connect(member, provider, path)).status).toBe(200);
  });

  it('beyond 20 replaces the oldest one of its person, and of no other person', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const other = await createMember(server);
    await createLink(server, other, id);
    for (let made = 0; made < 22; made += 1) await createLink(server, member, id);
    const linksOf = ({ id: userId }: Member) =>
      server.store.db.connectLink.count({ where: { userId } });
    expect([await linksOf(member), await linksOf(other)]).toEqual([20, 1]);
  });

  it('does not lead to an integration that now has another mode or is archived', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    await server.call('DELETE', `/integrations/${id}`);
    expect((await shownOf(await member.browser.get(path))).title).toContain('archived');
    await server.call('POST', `/integrations/${id}/restore`);
    await server.call('PATCH', `/integrations/${id}`, { body: { authMode: 'none' } });
    expect((await shownOf(await member.browser.get(path))).title).toContain('Nothing needs');
  });
});

describe('the page of an integration', () => {
  it('connects without a link, says as whom, and disconnects', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const back = await arrive(member, await provider.approve(await leave(member, pageOf(id))));
    expect([back.title, back.path]).toEqual([
      'Connected as ada@example.com',
      `/connect?connected=${id}`,
    ]);
    expect(back.text).toContain('go back to your application');
    const page = await shownOf(await member.browser.get(pageOf(id)));
    expect(page.text).toContain('You are connected as <strong>ada@example.com</strong>');
    expect((await shownOf(await member.browser.get('/connect'))).text).toContain('Docs');
    await member.browser.submit(page.text, { decision: 'disconnect' });
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('asks for a token where people enter one', async () => {
    const member = await createMember(server);
    const id = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const page = await (await member.browser.get(pageOf(id))).text();
    const bad = await shownOf(await member.browser.submit(page, { decision: 'save' }));
    expect(bad.status).toBe(400);
    const saved = await member.browser.submit(page, { decision: 'save', token: 'sesame-1' });
    const last = saved.headers.get('location') ?? '';
    expect([saved.status, last]).toEqual([303, `/connect?connected=${id}`]);
    expect((await (await member.browser.get(pageOf(id))).text()).includes('sesame-1')).toBe(false);
    expect(await connectionsOf(server, member)).toMatchObject([{ mode: 'user_token' }]);
  });

  it('says after a token was saved where to go on, and offers to replace it', async () => {
    const member = await createMember(server);
    // Nothing listens there, so nothing rejects the token.
    const body = { url: 'http://127.0.0.1:9/mcp', authMode: 'user_token' };
    const id = await createIntegration(server, body);
    const page = await (await member.browser.get(pageOf(id))).text();
    expect(page).toContain('>Save</button>');
    const saved = await member.browser.submit(page, { decision: 'save', token: 'sesame-1' });
    const last = await shownOf(await member.browser.get(saved.headers.get('location') ?? ''));
    expect([last.status, last.title]).toEqual([200, 'Connected']);
    expect(last.text).toContain('go back to your application');
    expect(last.text).not.toContain('<input');
    const again = await (await member.browser.get(pageOf(id))).text();
    expect(again).toContain('>Replace</button>');
    expect(again).not.toContain('>Save<');
  });

  it('leads on to the console, before and after connecting', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const key = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const textAt = async (path: string) => (await member.browser.get(path)).text();
    expect(await textAt(pageOf(id))).toContain(`href="/console/connections?connect=${id}"`);
    expect(await textAt(pageOf(key))).toContain(`href="/console/connections?connect=${key}"`);
    const connected = await connect(member, provider, pageOf(id));
    expect(connected.text).toContain(`href="/console/connections?connect=${id}"`);
    expect(await textAt('/connect')).toContain('href="/console/connections"');
  });

  it('does not say "Connected" of what is not, whatever its address says', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const page = await shownOf(await member.browser.get(`/connect?connected=${id}`));
    expect([page.title, page.text.includes('now works')]).toEqual(['Connect Docs', false]);
  });

  it.each(['oauth', 'user_token'])('lets a person leave it for later: %s', async (authMode) => {
    const member = await createMember(server);
    const body = { url: upstream.url, authMode, ...(authMode === 'oauth' && { oauth: {} }) };
    const page = await (
      await member.browser.get(pageOf(await createIntegration(server, body)))
    ).text();
    expect(page).toContain('>Not now</button>');
    const left = await shownOf(await member.browser.submit(page, { decision: 'cancel' }));
    expect([left.status, left.title]).toEqual([200, 'Nothing was connected']);
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('has one primary button, connected or not', async () => {
    const member = await createMember(server);
    const token = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const ids = [await oauth(), token];
    const countAll = async () => {
      const texts = ids.map(async (id) => (await member.browser.get(pageOf(id))).text());
      return (await Promise.all(texts)).map(primaryButtonsIn);
    };
    expect(await countAll()).toEqual([1, 1]);
    await connect(member, provider, pageOf(ids[0] ?? ''));
    expect(await countAll()).toEqual([1, 1]);
  });

  it('says when there is nothing to connect, or no such integration', async () => {
    const member = await createMember(server);
    const none = await createIntegration(server, { url: upstream.url, authMode: 'none' });
    const plain = await createIntegration(server, { url: upstream.url });
    await server.call('DELETE', `/integrations/${plain}/oauth`);
    const titles = [none, plain, '0190a5c0-0000-7000-8000-000000000001', 'x'].map(async (id) => {
      const { status, title } = await shownOf(await member.browser.get(pageOf(id)));
      return [status, title];
    });
    expect(await Promise.all(titles)).toEqual([
      [200, 'Nothing needs to be connected'],
      [409, 'Setup is not finished'],
      [404, 'There is nothing here'],
      [404, 'There is nothing here'],
    ]);
  });

  it('of another organization is not there', async () => {
    const member = await createMember(server);
    const other = await createTestOrganization(server.store);
    const { integrationId } = await other.addIntegration({ authMode: 'user_token' });
    expect((await member.browser.get(pageOf(integrationId))).status).toBe(404);
  });

  it('names the field to set when we have no way to be a client', async () => {
    const [member, id] = [await createMember(server), await oauth({ issuer: provider.issuer })];
    provider.configure({ registration: false });
    const page = await shownOf(await member.browser.get(pageOf(id)));
    provider.configure({ registration: true });
    expect([page.status, page.text.includes('clientId')]).toEqual([502, true]);
  });

  it('limits how often a person can make the service ask a provider', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const statuses = [];
    for (let times = 0; times < 31; times += 1) {
      statuses.push((await member.browser.get(pageOf(id))).status);
    }
    expect([statuses[29], statuses[30]]).toEqual([200, 429]);
  });
});

describe('back from the provider', () => {
  it("a refusal leads to a page of ours, without the provider's text", async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const url = await leave(member, pageOf(id));
    const callback = await provider.approve(url, { decision: 'deny' });
    callback.searchParams.set('error_description', 'call 555 and say your password');
    const page = await arrive(member, callback);
    expect([page.status, page.title]).toEqual([403, 'Access was not given']);
    expect(page.text).not.toContain('555');
    expect(page.text).toContain(`href="${pageOf(id)}"`);
  });

  it('a registered client that the provider has forgotten is registered again, once', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const first = await leave(member, pageOf(id));
    const clientId = first.searchParams.get('client_id') ?? '';
    const callback = await provider.approve(first);
    provider.forgetClient(clientId);
    const { refresh } = await arrive(member, callback);
    const second = new URL(refresh ?? '');
    expect(second.searchParams.get('client_id')).not.toBe(clientId);
    const again = await provider.approve(second);
    provider.forgetClient(second.searchParams.get('client_id') ?? '');
    const gaveUp = await arrive(member, again);
    expect([gaveUp.status, gaveUp.refresh]).toEqual([502, undefined]);
    expect((await connect(member, provider, pageOf(id))).status).toBe(200);
  });

  it('no secret is in the database in clear, nor in a page', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    const url = await leave(member, path);
    const { db } = server.store;
    const attempts = JSON.stringify(await db.connectAttempt.findMany());
    expect(attempts).not.toContain(url.searchParams.get('state'));
    const back = await comeBack(member, provider, url);
    const stored = [
      await db.connection.findMany(),
      await db.upstreamRegistration.findMany(),
      await db.connectLink.findMany(),
    ];
    const rows = JSON.stringify(stored, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(rows).toContain(id);
    for (const secret of [...provider.issuedSecrets(), path.slice('/connect/'.length)]) {
      expect(rows).not.toContain(secret);
      expect(back.text).not.toContain(secret);
    }
  });
});

it('our client metadata can be cached', async () => {
  const response = await fetch(`${server.origin}/oauth/client-metadata.json`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(await response.json()).toMatchObject({
    client_id: `${server.origin}/oauth/client-metadata.json`,
    redirect_uris: [`${server.origin}/oauth/callback`],
  });
});
