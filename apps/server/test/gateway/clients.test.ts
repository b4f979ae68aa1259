import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { clientOf, MODERN, useFixture } from './fixture.ts';

const SECRET = 'secret-of-the-upstream';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const upstream = use(() => startUpstream({ requireBearer: SECRET }));
let integrationId: string;

beforeAll(async () => {
  const fields = { url: upstream.url, authMode: 'server_token', serverToken: SECRET };
  integrationId = await fixture.integrate(fields);
});

describe.each(['legacy', 'modern'] as const)('the official client, %s era', (era) => {
  it('lists and calls tools, and no secret crosses the gateway in either direction', async () => {
    const { owner } = fixture.server;
    const url = fixture.urlOf(integrationId);
    const client = await connectMcpClient({ url, era, bearer: owner });
    const { sessionId } = client.transport;
    expect(await client.listTools()).toContain('test_simple_text');
    expect(await client.callTool('test_simple_text')).toMatch(/simple text/);
    const path = `/applications/${fixture.applicationId}/sessions`;
    const { body } = await fixture.api('GET', path);
    expect(body.items[0]).toMatchObject({ era, state: 'open' });
    await client.close();

    expect(upstream.hasReceived(owner)).toBe(false);
    if (era === 'legacy') {
      expect(sessionId).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(upstream.hasReceived(String(sessionId))).toBe(false);
      expect(upstream.sessionIds).toEqual([]);
    }
    expect(client.received.hasReceived(SECRET)).toBe(false);
    const after = await fixture.api('GET', path);
    expect(after.body.items[0].state).toBe(era === 'legacy' ? 'closed' : 'open');
  });

  it('shows that a limit is used up, and goes on after it in the same session', async () => {
    const policy = `/integrations/${integrationId}/policy`;
    const url = fixture.urlOf(integrationId);
    const client = await connectMcpClient({ url, era, bearer: fixture.server.owner });
    await client.listTools();
    await fixture.api('PUT', policy, { limits: { perMinute: 1 } });
    const outcomes = [];
    // Of three, one at least is refused, also where a minute begins in between.
    for (const _ of [1, 2, 3]) {
      outcomes.push(
        await client.callTool('test_simple_text').catch(({ code }: { code: number }) => code),
      );
    }
    expect(outcomes).toContain(-31004);
    await fixture.api('PUT', policy, null);
    expect(await client.callTool('test_simple_text')).toMatch(/simple text/);
    await client.close();
  });
});

it.each(['GET', 'DELETE'])(
  '%s of MCP 2026-07-28, which has no sessions, is 405 as the upstream says',
  async (method) => {
    const headers = { ...MODERN, accept: 'text/event-stream' };
    const direct = await fetch(upstream.url, {
      method,
      headers: { ...headers, authorization: `Bearer ${SECRET}` },
    });
    const relayed = await send(fixture.urlOf(integrationId), { method, headers });
    expect([relayed.status, relayed.headers.allow]).toEqual([405, direct.headers.get('allow')]);
    expect(direct.status).toBe(405);
  },
);
