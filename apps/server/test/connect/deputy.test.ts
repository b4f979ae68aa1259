import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { signedInBrowser } from '../authorization-server/fixture.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  ALLOWED_ORIGIN,
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

/* Somebody wants a person's account connected for themselves, or theirs for the person ("confused deputy"). */

const server = useServer({ allowedOrigins: [ALLOWED_ORIGIN] });
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

const open = async ({ browser }: Pick<Member, 'browser'>, url: URL) =>
  shownOf(await browser.get(url.href));

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

describe('a callback', () => {
  it('works once', async () => {
    const { member, callback } = await agreed();
    expect((await open(member, callback)).status).toBe(200);
    const requests = tokenRequests();
    expect((await open(member, callback)).title).toBe('That attempt is over');
    expect(tokenRequests()).toBe(requests);
  });

  it('of which there are several at once stores once', async () => {
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
    // From now on it has a cookie of its own.
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
    expect((await open(member, callback)).status).toBeGreaterThanOrEqual(400);
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

  it.each([
    ['the integration is archived', ({ id }: { id: string }) => `/integrations/${id}`],
    ['the member is removed', ({ member }: { member: Member }) => `/members/${member.id}`],
  ])('during which %s gives the tokens back', async (_what, pathOf) => {
    const world = await agreed();
    const held = provider.fault('token', { kind: 'hold', handleFirst: true });
    const { grantsEnded } = provider.counts;
    const opened = open(world.member, world.callback);
    await held.reached();
    expect((await server.call('DELETE', pathOf(world))).status).toBeLessThan(300);
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

  it('gets no code, even if it is that of an attempt', async () => {
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
])('nobody is sent to %s in the end', async (returnTo) => {
  const [member, id] = [await createMember(server), await oauth()];
  const path = await createLink(server, member, id, returnTo);
  const page = await shownOf(await member.browser.get(path));
  expect(page.text).not.toContain('elsewhere');
  const back = await comeBack(member, provider, await leave(member, path));
  expect([back.title, back.refresh]).toEqual(['Connected as ada@example.com', undefined]);
});
