import { beforeAll, describe, expect, it } from 'vitest';
import { useStoppedClock } from '../support/clock.ts';
import { use } from '../support/use.ts';
import { CALL, clientOf, startGateway, useFixture } from './fixture.ts';

const limits = {
  requestBytes: 40_000,
  wholeBodyBytes: 10_000,
  responseBytes: 50_000,
  callDeadline: 60_000,
};

const clock = useStoppedClock();
const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store, { limits }));
let url: string;

beforeAll(async () => {
  url = fixture.urlOf(await fixture.integrate(), gateway.origin);
});

const bodyOf = (bytes: number) => ({ ...CALL, params: { text: 'x'.repeat(bytes) } });
const codeOf = async (text: Promise<string>) => JSON.parse(await text).code;

describe('the limits of a call', () => {
  it('refuse a body that is declared too large, without calling the upstream', async () => {
    const before = fixture.upstream.acceptedConnections;
    const { status, text } = await send(url, { body: bodyOf(40_000) });
    expect(status).toBe(413);
    expect(await codeOf(text())).toBe('payload_too_large');
    expect(fixture.upstream.acceptedConnections).toBe(before);
  });

  it('stop a chunked body that grows too large on the way', async () => {
    const { status } = await send(url, {
      body: bodyOf(200_000),
      headers: { 'transfer-encoding': 'chunked', 'content-length': [] },
    });
    expect(status).toBe(413);
  });

  it('let a body of exactly that size pass', async () => {
    const overhead = JSON.stringify(bodyOf(0)).length;
    const answer = send(url, { body: bodyOf(limits.requestBytes - overhead) });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.body).toHaveLength(limits.requestBytes);
    exchange.respondResult({});
    expect((await answer).status).toBe(200);
  });

  it('refuse a response that is declared too large', async () => {
    const answer = send(url);
    (await fixture.upstream.nextRequest()).respondResult({ text: 'y'.repeat(60_000) });
    const { status, text } = await answer;
    expect(status).toBe(502);
    expect(await codeOf(text())).toBe('upstream_response_too_large');
  });

  it('break off a response of unknown length that grows too large', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.sendHead(200, { 'content-type': 'application/json' });
    void exchange.stream(10_000_000);
    await expect(answer.then(({ text }) => text())).rejects.toThrow();
    expect(await exchange.closed).toBe('aborted');
  });

  it('do not hold for event streams, neither in bytes nor in time', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    const { received } = await answer;
    const silent = send(url);
    await fixture.upstream.nextRequest();
    clock.pass(2 * limits.callDeadline);
    // The gateway has looked at both.
    expect((await silent).status).toBe(504);
    await exchange.sendEvent({ data: `${'z'.repeat(80_000)} end` });
    expect(await received(' end')).toContain('zzz');
    exchange.end();
  });

  it('give up on an upstream that does not answer, and say so', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    clock.pass(limits.callDeadline + 1);
    const { status, text } = await answer;
    expect(status).toBe(504);
    expect(await codeOf(text())).toBe('upstream_timeout');
    expect(await exchange.closed).toBe('aborted');
  });
});

describe('the metrics of the gateway', () => {
  it('count calls by outcome, era and class of status, and name nobody', async () => {
    const text = await gateway.metrics.registry.metrics();
    expect(text).toContain(
      'gatehouse_gateway_calls_total{outcome="deadline",era="legacy",status="5xx"} 2',
    );
    expect(text).toContain(
      'gatehouse_gateway_calls_total{outcome="refused",era="legacy",status="4xx"} 1',
    );
    expect(text).toContain('gatehouse_gateway_open_streams 0');
    expect(text).not.toContain(fixture.applicationId);
    expect(text).not.toContain(fixture.server.owner);
  });
});
