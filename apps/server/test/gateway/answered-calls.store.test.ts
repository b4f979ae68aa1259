import { describe, expect, it } from 'vitest';
import { CALL, clientOf, MODERN, useFixture } from './fixture.ts';

const response = (id: number | string) => ({ jsonrpc: '2.0', id, result: { content: [] } });
const event = (message: unknown) => ({ data: JSON.stringify(message) });
const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1, message: '"result"' },
};

describe.each(['behind', 'sync'] as const)('with calls that are stored %s', (auditCalls) => {
  const fixture = useFixture(() => ({ auditCalls }));
  const send = clientOf(() => fixture.server.owner);

  async function callsOf(integrationId: string) {
    const path = `/audit-events?kind=call&integrationId=${integrationId}`;
    return (await fixture.api('GET', path)).body.items;
  }

  async function outcomesOf(integrationId: string): Promise<string[]> {
    return (await callsOf(integrationId)).map(({ outcome }: { outcome: string }) => outcome);
  }

  /** Beginnings are stored with `sync` alone. */
  const unanswered = auditCalls === 'sync' ? ['begun'] : [];

  it('a call is one event from its response on, although its stream stays open', async () => {
    const integrationId = await fixture.integrate();
    const answer = send(fixture.urlOf(integrationId), { headers: MODERN });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    const { received, text } = await answer;
    await exchange.sendEvent(event(PROGRESS));
    await exchange.sendEvent(event(response(2)));
    await received('"id":2');
    // Long enough that both are looked at: an event that came of them would have fewer bytes.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await outcomesOf(integrationId)).toEqual(unanswered);

    await exchange.sendEvent(event(response(1)));
    const passed = Buffer.byteLength(await received('"id":1'));
    await expect.poll(() => outcomesOf(integrationId), { timeout: 10_000 }).toEqual(['relayed']);
    const events = await callsOf(integrationId);
    expect(events).toMatchObject([{ details: { name: 'echo', status: 200, bytesOut: passed } }]);

    await exchange.sendEvent(event(PROGRESS));
    exchange.end();
    await text();
    const next = send(fixture.urlOf(integrationId), { headers: MODERN });
    (await fixture.upstream.nextRequest()).respondResult({});
    await (await next).text();
    await expect
      .poll(() => outcomesOf(integrationId), { timeout: 10_000 })
      .toEqual(['relayed', 'relayed']);
    expect((await callsOf(integrationId)).slice(1)).toEqual(events);
  });

  it('a batch is recorded when the last of its requests has its response', async () => {
    const integrationId = await fixture.integrate();
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const body = JSON.stringify([CALL, { ...CALL, id: 'second' }]);
    const answer = send(fixture.urlOf(integrationId), { headers, body });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    const { received } = await answer;
    await exchange.sendEvent(event(response(1)));
    await received('"id":1');
    await exchange.sendEvent(event([response('second')]));
    await received('second');
    await expect
      .poll(() => outcomesOf(integrationId), { timeout: 10_000 })
      .toEqual(['relayed', 'relayed']);
    exchange.end();
  });
});
