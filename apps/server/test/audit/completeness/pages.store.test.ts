import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { Browser, givePassword, signedInBrowser } from '../../support/browser.ts';
import { recordPaths } from '../../support/registered-routes.ts';
import { use } from '../../support/use.ts';
import { makerOf } from './make.ts';
import { PAGES, type Visit } from './pages.ts';
import { ADDRESS, useRecordedServer } from './recorded.ts';

const registered = recordPaths();
const recorded = useRecordedServer();
const { server, headersOf, eventsOf } = recorded;
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

async function visit(): Promise<Visit> {
  const make = makerOf(recorded);
  const person = await givePassword(server.store, await make.member());
  const browser = await signedInBrowser(server, person);
  return { ...make, person, browser, stranger: new Browser(server), provider, upstream };
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

  it('of every path that takes POST', () => {
    const posts = registered().filter(({ methods }) => methods.includes('POST'));
    expect(posts.length).toBeGreaterThan(10);
    const listed = Object.keys(PAGES).filter((page) => page.startsWith('POST '));
    expect(posts.map(({ path }) => `POST ${path}`).sort()).toEqual(listed.sort());
  });
});

it('what was recorded has no secret and no email', async () => {
  const text = await recorded.recordedText();
  expect(text).toContain('connection.link_used');
  expect(recorded.secretCount()).toBeGreaterThan(30);
  expect(recorded.leaksIn(text)).toEqual([]);
  expect(text).not.toContain('owner@localhost');
});
