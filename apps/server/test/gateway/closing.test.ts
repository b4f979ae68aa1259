import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, type Fixture, MODERN, startFixture, startGateway } from './fixture.ts';

let fixture: Fixture;
let integrationId: string;
let send: ReturnType<typeof clientOf>;

beforeAll(async () => {
  fixture = await startFixture();
  integrationId = await fixture.integrate();
  send = clientOf(fixture.server.owner);
});
afterAll(() => fixture.close());

async function open(limits = {}) {
  const opened = await startGateway(fixture.server.store, { limits });
  return { ...opened, url: fixture.urlOf(integrationId, opened.origin) };
}

describe('a gateway that closes', () => {
  it('ends open-ended streams at once, lets other calls finish and refuses new ones', async () => {
    const { gateway, url, close } = await open();
    const get = send(url, { method: 'GET' });
    const getExchange = await fixture.upstream.nextRequest();
    getExchange.startSse();
    const listening = send(url, { headers: { ...MODERN, 'mcp-method': 'subscriptions/listen' } });
    const listenExchange = await fixture.upstream.nextRequest();
    listenExchange.startSse();
    const streams = [await get, await listening];
    const waiting = send(url);
    const exchange = await fixture.upstream.nextRequest();

    const closed = gateway.close();
    for (const { text } of streams) expect(await text()).toBe('');
    expect(await getExchange.closed).toBe('aborted');
    expect(await listenExchange.closed).toBe('aborted');
    const late = await send(url);
    expect(late.status).toBe(503);
    expect(late.headers['retry-after']).toBe('1');
    exchange.respondResult({ done: true });
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe('close');
    expect(await answer.text()).toContain('done');
    await closed;
    await close();
  });

  it('gives up on calls that take too long', async () => {
    const { gateway, url, close } = await open({ closeDeadline: 50 });
    const waiting = send(url);
    const exchange = await fixture.upstream.nextRequest();
    await gateway.close();
    expect((await waiting).status).toBe(503);
    expect(await exchange.closed).toBe('aborted');
    await close();
  });
});
