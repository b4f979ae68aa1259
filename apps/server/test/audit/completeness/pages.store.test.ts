import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestProvider } from '../../sign-in/external/openid-provider.ts';
import { Browser, givePassword, signedInBrowser } from '../../support/browser.ts';
import { recordPaths } from '../../support/registered-routes.ts';
import { use } from '../../support/use.ts';
import { makerOf } from './make.ts';
import { PAGES, type Visit } from './pages.ts';
import { ADDRESS, useRecordedServer } from './recorded.ts';

const registered = recordPaths();
const signIns = use(() => startTestProvider({ allowedDomains: ['example.com'] }));
const recorded = useRecordedServer(() => ({ externalSignIn: signIns.settings }));
const { server, headersOf, eventsOf } = recorded;
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

beforeAll(() => signIns.open(`${server.origin}/sign-in/external/callback`));

async function visit(): Promise<Visit> {
  const make = makerOf(recorded);
  const person = await givePassword(server.store, await make.member());
  const browser = await signedInBrowser(server, person);
  const stranger = new Browser(server);
  return { ...make, person, browser, stranger, signIns, provider, upstream };
}

const ways = Object.entries(PAGES).flatMap(([page, found]) =>
  Object.entries(found).map(([way, prepare]) => ({ page, way, prepare })),
);

describe('a page that writes leaves its events, with who, from where and by which request', () => {
  it.each(ways)('$page $way', async ({ prepare }) => {
    const visited = await visit();
    const { send, status, records, actor } = await prepare(visited);
    const requestId = crypto.randomUUID();
    const answer = await send(headersOf(requestId));
    if (status === undefined) expect(answer.status).toBeLessThan(400);
    else expect(answer.status).toBe(status);
    const actions = 'nothing' in records ? [] : records;
    const events = () => eventsOf(requestId);
    // A failed sign-in is recorded after its answer.
    await expect
      .poll(async () => (await events()).map(({ action }) => action), { timeout: 5_000 })
      .toEqual(actions);
    for (const event of await events()) {
      const who = actor ?? { kind: 'person', id: visited.person.id };
      expect(event).toMatchObject({ actor: who, requestId, address: ADDRESS });
    }
  });

  it('of every path that takes POST, or to which a provider sends people back', () => {
    const writes = registered().flatMap(({ path, methods }) => {
      if (methods.includes('POST')) return `POST ${path}`;
      // `/oauth/callback` has the handler of `/oauth/callback/:integrationId`.
      return path.includes('/callback') && path !== '/oauth/callback' ? `GET ${path}` : [];
    });
    expect(writes.length).toBeGreaterThan(10);
    expect(writes.sort()).toEqual(Object.keys(PAGES).sort());
  });
});

it('what was recorded has no secret and no email', async () => {
  const text = await recorded.recordedText();
  expect(text).toContain('connection.link_used');
  expect(recorded.secretCount()).toBeGreaterThan(30);
  expect(recorded.leaksIn(text)).toEqual([]);
  expect(text).not.toContain('owner@localhost');
});
