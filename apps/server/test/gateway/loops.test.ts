import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { CALL, clientOf, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
/** Another node: an integration may name it, since its host is not the public one. */
const node = use(() => startGateway(fixture.server.store));
let url: string;

beforeAll(async () => {
  url = fixture.urlOf(await fixture.integrate(), node.origin);
});

/** The `CDN-Loop` that goes upstream when a call arrives with this one. */
async function markFor(cdnLoop?: string[]): Promise<string> {
  const answering = send(url, { headers: cdnLoop === undefined ? {} : { 'cdn-loop': cdnLoop } });
  const exchange = await fixture.upstream.nextRequest();
  exchange.respondResult({});
  await answering;
  return String(exchange.request.headers['cdn-loop']);
}

describe('a call that comes back', () => {
  it('carries our mark upstream, behind those of others', async () => {
    const mark = await markFor();
    expect(mark).toMatch(/^gatehouse-[0-9a-f]{16}$/);
    expect(await markFor(['cdn.example; x="1"', 'other'])).toBe(
      `cdn.example; x="1",other, ${mark}`,
    );
    expect(await markFor([`x; ${fixture.server.owner}`])).toBe(mark);
  });

  it('has the same mark on every node', async () => {
    const mark = await markFor();
    const answering = send(fixture.urlOf(url.split('/').at(-1) ?? ''));
    const exchange = await fixture.upstream.nextRequest();
    exchange.respondResult({});
    await answering;
    expect(exchange.request.headers['cdn-loop']).toBe(mark);
  });

  it('is refused, wherever our mark is, and nothing goes up', async () => {
    const mark = await markFor();
    const before = fixture.upstream.requests.length;
    for (const cdnLoop of [mark, `first, ${mark};a=b, last`]) {
      const answer = await send(url, { headers: { 'cdn-loop': ['x', cdnLoop] } });
      expect(answer.status).toBe(508);
      expect(JSON.parse(await answer.text()).code).toBe('loop_detected');
    }
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('reaches an integration that names its own gateway URL once', async () => {
    const id = await fixture.integrate({
      authMode: 'server_token',
      serverToken: fixture.server.owner,
    });
    const own = fixture.urlOf(id, node.origin);
    const { status } = await fixture.api('PATCH', `/integrations/${id}`, {
      url: own,
      serverToken: fixture.server.owner,
    });
    expect(status).toBe(200);
    const answer = await send(own, { body: CALL });
    expect(answer.status).toBe(508);
    expect(JSON.parse(await answer.text()).code).toBe('loop_detected');
  });
});
