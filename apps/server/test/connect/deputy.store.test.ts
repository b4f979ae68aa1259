import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { signedInBrowser } from '../authorization-server/fixture.ts';
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

/*
 * An attacker wants a person's account connected for themselves, or their own for the person ("confused
 * deputy").
 */

const logged: string[] = [];
const log = createLogger('info', { write: (line) => logged.push(line) });
const server = useServer({ allowedOrigins: [ALLOWED_ORIGIN] }, log);
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

const oauth = () =>
  createIntegration(server, { url: upstream.url, oauth: { issuer: provider.issuer, scopes: [] } });

const tokenRequests = () => provider.requests('token').length;

afterEach(() => provider.clearFaults());

/** A person who has agreed at the provider. */
async function agreed(path = pageOf): Promise<{ member: Member; id: string; callback: URL }> {
  const [member, id] = [await createMember(server), await oauth()];
  return { member, id, callback: await provider.approve(await leave(member, path(id))) };
}

const open = (member: Pick<Member, 'browser'>, url: URL) => arrive(member, url);

describe('a link of another person', () => {
  it('shows nothing of them, and goes on working for them', async () => {
    const [owner, other] = [await createMember(server), await createMember(server)];
    const path = await createLink(server, owner, await oauth());
    const page = await shownOf(await other.browser.get(path));
    expect([page.status, page.title]).toEqual([403, 'This link is for another member']);
    const { email, name } = await server.store.db.user.findUniqueOrThrow({
      where: { id: owner.id },
    });
    for (const untold of [email, `>${name}<`, 'Docs']) expect(page.text).not.toContain(untold);
    const own = await (await other.browser.get(pageOf(await oauth()))).text();
    const forged = own.replace(/ action="[^"]*"/, ` action="${path}"`);
    expect((await other.browser.submit(forged, { decision: 'connect' })).status).toBe(403);
    expect((await connect(owner, provider, path)).status).toBe(200);
    expect(await connectionsOf(server, other)).toEqual([]);
  });
});

describe('a link', () => {
  it('that is used several times at once works once', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    await leave(member, pageOf(id));
    const path = await createLink(server, member, id);
    const page = await (await member.browser.get(path)).text();
    const held = provider.fault('metadata', { kind: 'hold' });
    const sent = Array.from({ length: 3 }, () =>
      member.browser.submit(page, { decision: 'connect' }),
    );
    await held.reached(3);
    held.release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 404, 404]);
  });

  it('works for ten minutes', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const path = await createLink(server, member, id);
    const page = await (await member.browser.get(path)).text();
    await server.store.db.connectLink.updateMany({
      where: { userId: member.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    const over = [404, 'This link does not work any more'];
    const shown = await shownOf(await member.browser.get(path));
    expect([shown.status, shown.title]).toEqual(over);
    const sent = await shownOf(await member.browser.submit(page, { decision: 'connect' }));
    expect([sent.status, sent.title]).toEqual(over);
  });
});

describe('a page', () => {
  const attemptsOf = ({ id: userId }: Member) =>
    server.store.db.connectAttempt.count({ where: { userId } });
  const change = async (id: string) => {
    const body = { oauth: { issuer: provider.issuer, scopes: ['write'] } };
    const changed = await server.call('PATCH', `/integrations/${id}`, { body });
    expect(changed.status, changed.text).toBe(200);
  };

  it('that is out of date when a person submits it leads nowhere, and is shown again', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const page = await (await member.browser.get(pageOf(id))).text();
    await change(id);
    const again = await shownOf(await member.browser.submit(page, { decision: 'connect' }));
    expect([again.status, await attemptsOf(member)]).toEqual([409, 0]);
    expect(again.text).toContain('What you agreed to has changed meanwhile');
    expect(again.text).toContain('<code>write</code>');
  });

  it('leads nowhere if the integration changes while the person leaves', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    const page = await (await member.browser.get(pageOf(id))).text();
    const held = provider.fault('registration', { kind: 'hold' });
    const sent = member.browser.submit(page, { decision: 'connect' });
    await held.reached();
    await change(id);
    held.release();
    expect([(await sent).status, await attemptsOf(member)]).toEqual([409, 0]);
  });
});

describe('a callback', () => {
  it('works once', async () => {
    const { member, callback } = await agreed();
    expect((await open(member, callback)).status).toBe(200);
    const requests = tokenRequests();
    expect((await open(member, callback)).title).toBe('That attempt is over');
    expect(tokenRequests()).toBe(requests);
  });

  it('that arrives several times at once stores one connection', async () => {
    const { member, callback } = await agreed();
    const requests = tokenRequests();
    const pages = await Promise.all(Array.from({ length: 4 }, () => open(member, callback)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(tokenRequests()).toBe(requests + 1);
    expect(await connectionsOf(server, member)).toHaveLength(1);
  });

  it('in another browser of the same person does nothing, and uses nothing up', async () => {
    const { member, id, callback } = await agreed();
    const browser = await signedInBrowser(server, member.id);
    expect((await open({ browser }, callback)).status).toBe(400);
    // From now on it has its own cookie.
    await leave({ browser }, pageOf(id));
    const requests = tokenRequests();
    expect((await open({ browser }, callback)).status).toBe(400);
    expect(tokenRequests()).toBe(requests);
    expect((await open(member, callback)).status).toBe(200);
  });

  it('of one person does nothing for another, even with the cookie', async () => {
    const { member, callback } = await agreed();
    const other = await createMember(server);
    other.browser.accept(`${member.browser.cookie('gatehouse-connect')}; Path=/`);
    expect((await open(other, callback)).status).toBe(400);
    expect(await connectionsOf(server, other)).toEqual([]);
    expect((await open(member, callback)).status).toBe(200);
  });

  it('that comes after ten minutes does nothing', async () => {
    const { member, callback } = await agreed();
    await server.store.db.connectAttempt.updateMany({
      where: { userId: member.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    const requests = tokenRequests();
    expect((await open(member, callback)).title).toBe('That attempt is over');
    expect(tokenRequests()).toBe(requests);
  });

  it('that is forged does nothing', async () => {
    const { member, callback } = await agreed();
    const requests = tokenRequests();
    const forged = [
      new URL('/oauth/callback', server.origin),
      new URL(callback),
      new URL(callback),
    ];
    forged[1]?.searchParams.set('state', 'a'.repeat(43));
    forged[2]?.searchParams.set('state', '');
    for (const url of forged) expect((await open(member, url)).status).toBe(400);
    expect(tokenRequests()).toBe(requests);
  });

  it('that fails ends at an address without its code, which tells nothing to others', async () => {
    const { member, callback } = await agreed();
    const code = callback.searchParams.get('code') ?? '';
    callback.searchParams.set('iss', 'https://elsewhere.example');
    const { path, title } = await open(member, callback);
    expect([path.startsWith('/connect?ended='), path.includes(code)]).toEqual([true, false]);
    const titleFor = async (browser: Member['browser'], ended: string) =>
      (await shownOf(await browser.get(ended))).title;
    const other = await createMember(server);
    const altered = Buffer.from(path.slice(15), 'base64url')
      .toString()
      .replace('iss_mismatch', 'access_denied');
    const forged = `/connect?ended=${Buffer.from(altered).toString('base64url')}`;
    expect([
      await titleFor(member.browser, path),
      await titleFor(other.browser, path),
      await titleFor(member.browser, forged),
    ]).toEqual([title, 'That attempt is over', 'That attempt is over']);
    expect(title).not.toBe('That attempt is over');
  });

  it.each([
    ['another issuer', 'https://elsewhere.example'],
    ['no issuer', null],
  ])('with %s is refused before the code is sent anywhere', async (_what, iss) => {
    const [member, id] = [await createMember(server), await oauth()];
    const url = await leave(member, pageOf(id));
    const callback = await provider.approve(url);
    if (iss === null) callback.searchParams.delete('iss');
    else callback.searchParams.set('iss', iss);
    const requests = tokenRequests();
    const page = await open(member, callback);
    expect([page.status, page.title]).toEqual([
      400,
      'The response of the provider was not accepted',
    ]);
    expect(page.text).not.toContain('issuer');
    expect(tokenRequests()).toBe(requests);
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it.each([
    ['the url', { url: 'http://127.0.0.1:9/mcp' }],
    ['the issuer', { oauth: { issuer: 'http://127.0.0.1:9' } }],
    ['the mode', { authMode: 'none' }],
  ])('after %s has changed stores nothing and sends nothing', async (_what, body) => {
    const { member, id, callback } = await agreed();
    const changed = await server.call('PATCH', `/integrations/${id}`, { body });
    expect(changed.status, changed.text).toBe(200);
    const requests = tokenRequests();
    expect((await open(member, callback)).title).toBe('The integration has changed meanwhile');
    expect(tokenRequests()).toBe(requests);
    expect(await connectionsOf(server, member)).toEqual([]);
  });

  it('for an archived integration stores nothing and sends nothing', async () => {
    const { member, id, callback } = await agreed();
    await server.call('DELETE', `/integrations/${id}`);
    const requests = tokenRequests();
    expect((await open(member, callback)).status).toBe(409);
    expect([tokenRequests(), await connectionsOf(server, member)]).toEqual([requests, []]);
  });

  it('of a member who was removed does nothing', async () => {
    const { member, callback } = await agreed();
    await server.call('DELETE', `/members/${member.id}`);
    const requests = tokenRequests();
    expect((await open(member, callback)).status).toBe(400);
    expect(tokenRequests()).toBe(requests);
  });

  it.each<[string, (world: { member: Member; id: string }) => Parameters<typeof server.call>]>([
    ['the integration is archived', ({ id }) => ['DELETE', `/integrations/${id}`]],
    ['the member is removed', ({ member }) => ['DELETE', `/members/${member.id}`]],
    [
      'the url is changed',
      ({ id }) => ['PATCH', `/integrations/${id}`, { body: { url: 'http://127.0.0.1:9/mcp' } }],
    ],
  ])('during which %s revokes the new tokens at the provider', async (_what, requestOf) => {
    const world = await agreed();
    const held = provider.fault('token', { kind: 'hold', handleFirst: true });
    const { grantsEnded } = provider.counts;
    const opened = open(world.member, world.callback);
    await held.reached();
    expect((await server.call(...requestOf(world))).status).toBeLessThan(300);
    held.clear();
    expect((await opened).status).toBeGreaterThanOrEqual(400);
    expect(await connectionsOf(server, world.member)).toEqual([]);
    expect(provider.counts.grantsEnded).toBe(grantsEnded + 1);
  });
});

describe('metadata that names private addresses', () => {
  it('leads nowhere', async () => {
    const [member, id] = [await createMember(server), await oauth()];
    provider.fault('metadata', { kind: 'private-addresses' });
    const page = await shownOf(await member.browser.get(pageOf(id)));
    const answer =
      page.status === 200
        ? await shownOf(await member.browser.submit(page.text, { decision: 'connect' }))
        : page;
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('GATEHOUSE_ALLOWED_NETWORKS');
    expect(await server.store.db.connectAttempt.count({ where: { userId: member.id } })).toBe(0);
  });

  it('gets no code, even if it is stored in an attempt', async () => {
    const { member, callback } = await agreed();
    const { db } = server.store;
    const where = { userId: member.id };
    const { payload } = await db.connectAttempt.findFirstOrThrow({ where });
    const changed = JSON.parse(JSON.stringify(payload));
    changed.server.tokenEndpoint = 'https://10.0.0.1/token';
    await db.connectAttempt.updateMany({ where, data: { payload: changed } });
    const page = await open(member, callback);
    expect([page.status, page.text.includes('GATEHOUSE_ALLOWED_NETWORKS')]).toEqual([502, true]);
    expect(await connectionsOf(server, member)).toEqual([]);
  });
});

it.each([
  'https://elsewhere.example/',
  `${ALLOWED_ORIGIN}.elsewhere.example/`,
  `${ALLOWED_ORIGIN}@elsewhere.example/`,
  'javascript:alert(1)',
  '//elsewhere.example',
])('a person is not sent on to %s after connecting', async (returnTo) => {
  const [member, id] = [await createMember(server), await oauth()];
  const path = await createLink(server, member, id, returnTo);
  const page = await shownOf(await member.browser.get(path));
  expect(page.text).not.toContain('elsewhere');
  const back = await comeBack(member, provider, await leave(member, path));
  expect([back.title, back.refresh]).toEqual(['Connected as ada@example.com', undefined]);
});

it('a person is not sent on to an origin that is no longer allowed, after connecting', async () => {
  const { member, callback } = await agreed();
  await server.store.db.connectAttempt.updateMany({
    where: { userId: member.id },
    data: { returnTo: 'https://elsewhere.example/' },
  });
  const back = await open(member, callback);
  expect([back.title, back.refresh]).toEqual(['Connected as ada@example.com', undefined]);
});

it('a person is not sent on to an origin that is no longer allowed, after cancelling', async () => {
  const [member, id] = [await createMember(server), await oauth()];
  const path = await createLink(server, member, id, 'https://elsewhere.example/');
  const page = await (await member.browser.get(path)).text();
  const response = await member.browser.submit(page, { decision: 'cancel' });
  expect([response.status, response.headers.get('location')]).toEqual([200, null]);
});

it('the log says why connecting failed, without any secret of the callback', async () => {
  const { member, callback } = await agreed();
  callback.searchParams.set('iss', 'https://elsewhere.example');
  expect((await open(member, callback)).status).toBe(400);
  const lines = logged.join('');
  expect(lines).toContain('"code":"iss_mismatch"');
  const secrets = ['code', 'state'].map((name) => callback.searchParams.get(name) ?? '');
  for (const secret of [...secrets, ...provider.issuedSecrets()]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(lines).not.toContain(secret);
  }
});
