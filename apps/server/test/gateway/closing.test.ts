import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALL, clientOf, MODERN, STATELESS, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let integrationId: string;

beforeAll(async () => {
  integrationId = await fixture.integrate();
});

async function open(limits = {}) {
  const opened = await startGateway(fixture.server.store, { limits });
  return { ...opened, url: fixture.urlOf(integrationId, opened.origin) };
}

/** Tokens that are not in memory cannot be authenticated until the returned function is called. */
async function lockTokens(): Promise<() => Promise<void>> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let transaction = Promise.resolve();
  await new Promise<void>((resolve) => {
    transaction = fixture.server.store.transaction(async ({ db }) => {
      await db.$executeRaw`LOCK TABLE "Token" IN ACCESS EXCLUSIVE MODE`;
      resolve();
      await released;
    });
  });
  return () => {
    release();
    return transaction;
  };
}

function watch(promise: Promise<void>): { readonly promise: Promise<void>; isSettled: boolean } {
  const watched = { promise, isSettled: false };
  void promise.then(() => {
    watched.isSettled = true;
  });
  return watched;
}

describe('a gateway that closes', () => {
  it('lets calls finish and refuses new ones, and ends open-ended streams last', async () => {
    const { gateway, url, close } = await open();
    const get = send(url, { method: 'GET', headers: STATELESS });
    const getExchange = await fixture.upstream.nextRequest();
    getExchange.startSse();
    const listening = send(url, { headers: { ...MODERN, 'mcp-method': 'subscriptions/listen' } });
    const listenExchange = await fixture.upstream.nextRequest();
    listenExchange.startSse();
    const [getStream, listenStream] = [await get, await listening];
    const waiting = send(url);
    const exchange = await fixture.upstream.nextRequest();

    const closed = gateway.close();
    const late = await send(url);
    expect(late.status).toBe(503);
    expect(late.headers['retry-after']).toBe('1');
    await getExchange.sendEvent({ data: 'still here' });
    await getStream.received('still here');
    exchange.respondResult({ done: true });
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('done');

    expect(await getStream.received('retry')).toBe('data: still here\n\nretry: 5000\n\n');
    expect(await listenStream.text()).toMatch(
      /^event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-31002,.*"code":"overloaded".*}\n\n$/,
    );
    expect(await getExchange.closed).toBe('aborted');
    expect(await listenExchange.closed).toBe('aborted');
    await closed;
    await close();
  });

  it('ends open-ended streams at once when there is nothing to wait for', async () => {
    const { gateway, url, close } = await open();
    const get = send(url, { method: 'GET', headers: STATELESS });
    (await fixture.upstream.nextRequest()).startSse();
    const stream = await get;
    await gateway.close();
    expect(await stream.text()).toBe('retry: 5000\n\n');
    await close();
  });

  it('waits for a call that is being admitted', async () => {
    const { gateway, url, arrival, close } = await open();
    const release = await lockTokens();
    const arrived = arrival();
    const calling = send(url);
    await arrived;
    const closed = watch(gateway.close());
    await release();
    const exchange = await fixture.upstream.nextRequest();
    expect(closed.isSettled).toBe(false);
    exchange.respondResult({ done: true });
    expect(await (await calling).text()).toContain('done');
    await closed.promise;
    await close();
  });

  it('refuses a call that is still being admitted at the deadline, and sends nothing upstream', async () => {
    const { gateway, url, arrival, close } = await open({ closeDeadline: 50 });
    const release = await lockTokens();
    const arrived = arrival();
    const calling = send(url);
    await arrived;
    const before = fixture.upstream.requests.length;
    await gateway.close();
    expect((await calling).status).toBe(503);
    await release();
    // This call needs as many reads, and they began later: by now the refused call would have gone upstream.
    const other = await open();
    const later = send(other.url);
    (await fixture.upstream.nextRequest()).respondResult({});
    expect((await later).status).toBe(200);
    expect(fixture.upstream.requests.length).toBe(before + 1);
    await other.close();
    await close();
  });

  it('waits for a call that is answered without a credential', async () => {
    const { gateway, origin, arrival, close } = await open();
    const unconnected = await fixture.integrate({ authMode: 'user_token' });
    const body = JSON.stringify(CALL);
    const arrived = arrival();
    const req = request(fixture.urlOf(unconnected, origin), {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${fixture.server.owner}`,
        'content-length': Buffer.byteLength(body),
      },
    });
    req.write(body.slice(0, 10));
    const responding = once(req, 'response');
    await arrived;
    const closed = watch(gateway.close());
    await fixture.server.call('GET', '/me');
    expect(closed.isSettled).toBe(false);
    req.end(body.slice(10));
    const [response] = await responding;
    expect(await text(response)).toContain('connection_required');
    await closed.promise;
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
