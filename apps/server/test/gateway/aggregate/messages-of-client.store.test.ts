import type { Exchange } from '@gatehouse/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { useOtherNode } from './other-node.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const names = ['one', 'two', 'three'] as const;
const servers = names.map((name) => use(() => startScriptedServer(name)));
const [one, two, three] = servers as [ScriptedServer, ScriptedServer, ScriptedServer];
const other = useOtherNode(fixture);

let applicationId: string;
let ids: readonly string[];
let client: AggregateClient;
const send = clientOf(() => fixture.server.owner);

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  ids = await Promise.all(servers.map(({ url }, i) => fixture.integrate({ name: names[i], url })));
  for (const id of ids) {
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
});
beforeEach(async () => {
  const url = `${fixture.server.origin}/mcp/${applicationId}`;
  client = await openClient(url, fixture.server.owner, 'legacy', { sampling: {} });
  for (const name of names) await client.call(`${name}__echo`);
});
afterEach(() => {
  for (const server of servers) server.on('tools/call', undefined);
});

const call = (id: number | string, name: string, origin = fixture.server.origin) =>
  send(`${origin}/mcp/${applicationId}`, {
    headers: client.headers,
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name } },
  });
const notify = async (method: string, params: object) => {
  const body = { jsonrpc: '2.0', method: `notifications/${method}`, params };
  expect((await client.send({ headers: client.headers, body })).status).toBe(202);
};
/** The messages of a method that each server has received since. */
function receivedSince(method: string): () => unknown[][] {
  const before = servers.map((server) => server.received(method).length);
  return () =>
    servers.map((server, i) =>
      server
        .received(method)
        .slice(before[i])
        .map(({ request }) => JSON.parse(request.body.toString()).params),
    );
}
/** Once a message to all servers has arrived at them, so has what was sent before it. */
async function hearsEveryone(): Promise<void> {
  const told = receivedSince('notifications/roots/list_changed');
  await notify('roots/list_changed', {});
  await expect.poll(() => told().map(({ length }) => length)).toEqual([1, 1, 1]);
}

describe('a cancellation', () => {
  it('reaches the one integration that has the request, once, as the client wrote it', async () => {
    one.on('tools/call', () => {});
    const calls = one.received('tools/call').length;
    const cancelled = receivedSince('notifications/cancelled');
    const answer = call(7, 'one__echo');
    await expect.poll(() => one.received('tools/call').length).toBe(calls + 1);
    const params = { requestId: 7, reason: 'Not needed.' };
    for (let n = 0; n < 3; n += 1) await notify('cancelled', params);
    await hearsEveryone();
    expect(cancelled()).toEqual([[params], [], []]);
    const [{ respondResult }] = one.received('tools/call').slice(-1) as [Exchange];
    respondResult({ content: [] });
    await (await answer).text();
  });

  it('reaches it from another node', async () => {
    two.on('tools/call', () => {});
    const calls = two.received('tools/call').length;
    const cancelled = receivedSince('notifications/cancelled');
    const answer = call('a', 'two__echo', other.origin);
    await expect.poll(() => two.received('tools/call').length).toBe(calls + 1);
    await notify('cancelled', { requestId: 'a' });
    await expect.poll(cancelled).toEqual([[], [{ requestId: 'a' }], []]);
    const [{ respondResult }] = two.received('tools/call').slice(-1) as [Exchange];
    respondResult({ content: [] });
    await (await answer).text();
  });

  it('of a request that nobody has reaches nobody', async () => {
    const cancelled = receivedSince('notifications/cancelled');
    for (const requestId of [1, 'none', null, {}]) {
      await notify('cancelled', { requestId, reason: 'private' });
    }
    await notify('cancelled', {});
    await hearsEveryone();
    expect(cancelled()).toEqual([[], [], []]);
  });
});

describe('progress of a client', () => {
  it('reaches the integration that has asked for it, with its own token', async () => {
    const token = 'the same for all';
    for (const server of [one, two]) {
      server.on('tools/call', async (exchange) => {
        exchange.startSse();
        const params = { messages: [], _meta: { progressToken: token } };
        const asked = { jsonrpc: '2.0', id: 17, method: 'sampling/createMessage', params };
        await exchange.sendEvent({ data: asked });
      });
    }
    const progress = receivedSince('notifications/progress');
    const calls = [await call(1, 'one__echo'), await call(2, 'two__echo')];
    const asked = await Promise.all(calls.map(({ received }) => received('\n\n')));
    const tokens = asked.map((text) => JSON.parse(text.slice(text.indexOf('{'))).params._meta);
    expect(tokens[0]).not.toEqual(tokens[1]);
    await notify('progress', { ...tokens[1], progress: 1, total: 2 });
    await expect
      .poll(progress)
      .toEqual([[], [{ progressToken: token, progress: 1, total: 2 }], []]);
    for (const { abort } of calls) abort();
  });

  it('with a token that nobody has given it reaches nobody', async () => {
    const progress = receivedSince('notifications/progress');
    const forged = Buffer.from('1').toString('base64url');
    for (const progressToken of [1, 'x', `gatehouse.${ids[0]}.${forged}`]) {
      await notify('progress', { progressToken, progress: 1 });
    }
    await hearsEveryone();
    expect(progress()).toEqual([[], [], []]);
  });
});

it('what a client tells all integrations counts for the limits of each', async () => {
  await fixture.api('PUT', `/integrations/${ids[2]}/policy`, { limits: { perMinute: 2 } });
  const told = receivedSince('notifications/roots/list_changed');
  for (let n = 0; n < 4; n += 1) await notify('roots/list_changed', {});
  await expect.poll(() => told().map(({ length }) => length)).toEqual([4, 4, 2]);
  expect(three.received('notifications/roots/list_changed').length).toBeGreaterThan(0);
  await fixture.api('PUT', `/integrations/${ids[2]}/policy`, null);
});
