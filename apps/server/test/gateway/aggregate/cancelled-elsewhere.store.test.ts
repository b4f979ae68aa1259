import type { Exchange } from '@gatehouse/testing';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { askInResult } from './asking-server.ts';
import { useOtherNode } from './other-node.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
const modern = use(() => startScriptedServer('modern'));
/** The node that has the call. */
const other = useOtherNode(fixture);

let applicationId: string;
let clients: readonly AggregateClient[];

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  const eras = { legacy: null, modern: '2026-07-28' };
  const id = await fixture.integrate({ name: 'New', url: modern.url }, eras as never);
  await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
});
beforeEach(async () => {
  const begin = () =>
    openClient(urlAt(fixture.server.origin), fixture.server.owner, 'legacy', { elicitation: {} });
  clients = [await begin(), await begin()];
});

const urlAt = (origin: string) => `${origin}/mcp/${applicationId}`;
const send = clientOf(() => fixture.server.owner);

const callAt = (origin: string, id: string, { headers } = clients[0] as AggregateClient) =>
  send(urlAt(origin), {
    headers,
    body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"new__echo"}}`,
  });

const call = (id: string, client?: AggregateClient) => callAt(other.origin, id, client);

async function cancel(id: string, { headers } = clients[0] as AggregateClient): Promise<void> {
  const params = `{"requestId":${id}}`;
  const body = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
  expect((await send(urlAt(fixture.server.origin), { headers, body })).status).toBe(202);
}

describe('a request that its client cancels on another node', () => {
  it.each(['7', '"seven"'])('is cancelled upstream, with the id %s', async (id) => {
    let upstream: Exchange | undefined;
    modern.on('tools/call', (exchange) => {
      upstream = exchange;
    });
    const answer = call(id);
    await expect.poll(() => upstream).toBeDefined();
    await cancel(id);
    expect(await upstream?.closed).toBe('aborted');
    expect(await (await answer).text()).toBe('');
  });

  it('is announced only if it is not in flight where the client says so', async () => {
    const announced: string[] = [];
    const unsubscribe = fixture.server.store.changes.subscribe({
      react: (changes) => {
        if (changes === 'everything') return;
        for (const { kind, id } of changes) if (kind === 'cancellation') announced.push(id);
      },
    });
    onTestFinished(unsubscribe);
    const exchanges: Exchange[] = [];
    modern.on('tools/call', (exchange) => void exchanges.push(exchange));
    const here = callAt(fixture.server.origin, '7');
    const there = call('8');
    await expect.poll(() => exchanges.length).toBe(2);
    await cancel('7');
    expect(await (await here).text()).toBe('');
    await cancel('8');
    expect(await (await there).text()).toBe('');
    // Announcements arrive in their order: with one of another session, those before it are there.
    await cancel('9', clients[1]);
    const sessions = () => new Set(announced.map((key) => key.split(':', 1)[0]));
    await expect.poll(() => sessions().size).toBe(2);
    expect(announced).toHaveLength(2);
  });

  it('ends while the client is being asked', async () => {
    askInResult(modern);
    const answer = await call('7');
    await answer.received('elicitation/create');
    await cancel('7');
    expect(await answer.text()).not.toContain('"result"');
  });
});

it.each([
  ['another node', () => other.origin],
  ['the node that has them', () => fixture.server.origin],
])(
  'requests with the same id, or of the same session, go on when one is cancelled on %s',
  async (_, origin) => {
    const exchanges: Exchange[] = [];
    modern.on('tools/call', (exchange) => void exchanges.push(exchange));
    const cancelled = callAt(origin(), '7');
    const others = [callAt(origin(), '8'), callAt(origin(), '7', clients[1])];
    await expect.poll(() => exchanges.length).toBe(3);
    // What is announced first arrives first.
    await cancel('9', clients[1]);
    await cancel('7');
    expect(await (await cancelled).text()).toBe('');
    for (const { respondResult } of exchanges) respondResult({ content: [] });
    for (const other of others) {
      expect(await (await other).text()).toContain('"result":{"content":[]}');
    }
  },
);
