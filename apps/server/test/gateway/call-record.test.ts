import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import type { Metrics } from '../../src/platform/metrics.ts';
import { CALL, clientOf, MODERN, type SendOptions, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);

/** A gateway that has had one call, and what observers got when everything had ended. */
async function recordsOf(
  callThrough: (url: string, integrationId: string, metrics: Metrics) => Promise<unknown>,
  {
    limits = {},
    integration = {},
  }: { limits?: object; integration?: Record<string, unknown> } = {},
) {
  const records: CallRecord[] = [];
  const observer = {
    needsMessages: true,
    ended: (record: CallRecord) => void records.push(record),
  };
  const gateway = await startGateway(fixture.server.store, {
    limits,
    observers: [observer],
    allowedOrigins: ['https://app.example.com'],
  });
  const integrationId = await fixture.integrate(integration);
  const url = fixture.urlOf(integrationId, gateway.origin);
  await callThrough(url, integrationId, gateway.metrics);
  await expect.poll(() => records.length).toBeGreaterThan(0);
  await gateway.close();
  return { records, integrationId };
}

const modern = (options: SendOptions = {}) => ({ headers: MODERN, ...options });

describe('observers get exactly one record of a call', () => {
  it('that was relayed, with its caller, route, session and times', async () => {
    const { records, integrationId } = await recordsOf(async (url) => {
      const answer = send(url, modern());
      (await fixture.upstream.nextRequest()).respondResult({});
      await (await answer).text();
    });
    const { applicationId } = fixture;
    expect(records).toEqual([
      {
        requestId: expect.stringMatching(/^[\w-]+$/),
        method: 'POST',
        era: 'modern',
        outcome: 'relayed',
        status: 200,
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
        ms: expect.any(Number),
        caller: expect.objectContaining({
          via: expect.objectContaining({ kind: 'personal_token' }),
        }),
        applicationId,
        integrationId,
        credentialSource: 'none',
        messages: [{ method: 'tools/call', name: 'echo' }],
        isOpenEnded: false,
        wasAnswered: false,
        bytesIn: 71,
        bytesOut: 36,
        reasons: [],
        sessionId: expect.any(String),
        address: '192.0.2.1',
      },
    ]);
    const [{ startedAt, endedAt, ms } = { startedAt: 0, endedAt: 0, ms: 0 }] = records;
    expect(endedAt - startedAt).toBe(ms);
    expect(Math.abs(Date.now() - endedAt)).toBeLessThan(60_000);
  });

  it.each([
    ['a GET', { method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } }],
    [
      'a listen',
      { headers: MODERN, body: { ...CALL, method: 'subscriptions/listen', params: {} } },
    ],
  ] as [string, SendOptions][])('of %s, which is a stream and no call', async (_, options) => {
    let counted = '';
    const { records } = await recordsOf(async (url, _id, metrics) => {
      const answer = send(url, options);
      const exchange = await fixture.upstream.nextRequest();
      exchange.startSse();
      await exchange.sendEvent({ data: 'one' });
      const { received, abort } = await answer;
      await received('one');
      abort();
      const read = async () => {
        counted = await metrics.registry.metrics();
        return counted;
      };
      await expect.poll(read).toMatch(/gatehouse_gateway_streams_total{outcome="client_left".*} 1/);
    });
    expect(records).toMatchObject([{ isOpenEnded: true, outcome: 'client_left' }]);
    expect(counted).not.toMatch(/gatehouse_gateway_calls_total{/);
  });

  it('that was relayed as an event stream', async () => {
    const { records } = await recordsOf(async (url) => {
      const answer = send(url, modern());
      const exchange = await fixture.upstream.nextRequest();
      exchange.startSse();
      await exchange.sendEvent({ data: 'one' });
      exchange.end();
      await (await answer).text();
    });
    expect(records).toMatchObject([{ outcome: 'relayed', status: 200 }]);
  });

  it('that had its credential rejected by the upstream', async () => {
    const { records } = await recordsOf(
      async (url) => {
        const answer = send(url, modern());
        (await fixture.upstream.nextRequest()).respond({ status: 401 });
        await (await answer).text();
      },
      { integration: { authMode: 'server_token', serverToken: 'rejected' } },
    );
    expect(records).toMatchObject([{ outcome: 'credential', status: 200 }]);
  });

  it('from an unknown caller, with the address of the client', async () => {
    const { records } = await recordsOf(async (url) => {
      await (await send(url, modern({ token: 'gh_pat_unknown' }))).text();
    });
    expect(records).toMatchObject([{ outcome: 'refused', status: 401, address: '192.0.2.1' }]);
    expect(records[0]).toMatchObject({ caller: undefined, applicationId: undefined });
  });

  it('that was a preflight', async () => {
    const { records } = await recordsOf(async (url) => {
      const headers = {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
      };
      await (await send(url, { method: 'OPTIONS', token: null, headers })).text();
    });
    expect(records).toMatchObject([{ method: 'OPTIONS', outcome: 'refused', status: 204 }]);
  });

  it('of a person who must connect first', async () => {
    const { records } = await recordsOf(
      async (url) => (await send(url, { body: { ...CALL, method: 'ping' } })).text(),
      { integration: { authMode: 'user_token' } },
    );
    expect(records).toMatchObject([{ outcome: 'connect', sessionId: undefined }]);
  });

  it('that failed at the upstream', async () => {
    const { records } = await recordsOf(async (url) => {
      const answer = send(url, modern());
      (await fixture.upstream.nextRequest()).drop();
      await (await answer).text();
    });
    expect(records).toMatchObject([{ outcome: 'upstream_failed', status: 502 }]);
  });

  it('that its client left', async () => {
    const { records } = await recordsOf(async (url) => {
      const leaving = new AbortController();
      const answer = send(url, modern({ signal: leaving.signal }));
      const exchange = await fixture.upstream.nextRequest();
      leaving.abort();
      await answer.catch(() => {});
      expect(await exchange.closed).toBe('aborted');
    });
    expect(records).toMatchObject([{ outcome: 'client_left', status: 0 }]);
  });

  it('that was cut while it was a stream', async () => {
    const { records } = await recordsOf(async (url, integrationId) => {
      const answer = send(url, modern());
      const exchange = await fixture.upstream.nextRequest();
      exchange.startSse();
      const stream = await answer;
      const { applicationId } = fixture;
      await fixture.api('DELETE', `/applications/${applicationId}/integrations/${integrationId}`);
      await stream.text();
    });
    expect(records).toMatchObject([{ outcome: 'cut', status: 200 }]);
  });

  it('that took too long, or had too large a response', async () => {
    const hang = async (url: string) => {
      const answer = send(url, modern());
      await fixture.upstream.nextRequest();
      await (await answer).text();
    };
    const late = await recordsOf(hang, { limits: { callDeadline: 100 } });
    expect(late.records).toMatchObject([{ outcome: 'deadline', status: 504 }]);
    const flood = async (url: string) => {
      const answer = send(url, modern());
      (await fixture.upstream.nextRequest()).respondResult({ text: 'y'.repeat(2_000) });
      await (await answer).text();
    };
    const large = await recordsOf(flood, { limits: { responseBytes: 1_000 } });
    expect(large.records).toMatchObject([{ outcome: 'too_large', status: 502 }]);
  });

  it('that rules about people refused, with their reasons and whom they refused', async () => {
    const { records, integrationId } = await recordsOf(async (url, id) => {
      await fixture.api('PUT', `/integrations/${id}/policy`, { roles: [] });
      expect((await send(url, modern())).status).toBe(403);
    });
    expect(records).toMatchObject([
      {
        outcome: 'refused',
        caller: { kind: 'person' },
        applicationId: fixture.applicationId,
        integrationId,
        credentialSource: undefined,
        messages: [],
        bytesIn: 0,
        reasons: ['policy_refused', 'role_or_group'],
      },
    ]);
    expect(records[0]?.bytesOut).toBeGreaterThan(100);
  });

  it('of which rules about names have judged the body', async () => {
    const { records } = await recordsOf(async (url, id) => {
      await fixture.api('PUT', `/integrations/${id}/policy`, { tools: { deny: ['echo'] } });
      const batch = [CALL, { jsonrpc: '2.0', method: 'notifications/initialized' }];
      await (await send(url, { body: batch })).text();
    });
    expect(records).toMatchObject([
      {
        outcome: 'policy',
        credentialSource: 'none',
        messages: [{ method: 'tools/call', name: 'echo' }, { method: 'notifications/initialized' }],
        reasons: ['tool_denied'],
      },
    ]);
  });

  it('of a person who must connect first, with the reason', async () => {
    const { records } = await recordsOf(async (url) => (await send(url, { body: CALL })).text(), {
      integration: { authMode: 'user_token' },
    });
    const reasons = ['connection_required'];
    expect(records).toMatchObject([{ outcome: 'connect', credentialSource: 'missing', reasons }]);
  });

  it('to an unknown route, without ids', async () => {
    const { records } = await recordsOf(async (url, id) => {
      await (await send(url.replace(id, fixture.applicationId), modern())).text();
    });
    expect(records).toMatchObject([
      { applicationId: undefined, integrationId: undefined, reasons: ['not_found'] },
    ]);
    expect(records[0]?.caller).toBeDefined();
  });

  it.each([
    ['of a known length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked', 'content-length': [] }],
  ])('with a body %s that is too long to be kept', async (_, headers) => {
    const params = { arguments: { text: 'x'.repeat(300_000) }, name: 'echo' };
    const body = JSON.stringify({ ...CALL, params });
    const { records } = await recordsOf(async (url) => {
      const answer = send(url, { body, headers: { ...MODERN, ...headers } });
      (await fixture.upstream.nextRequest()).respondResult({});
      await (await answer).text();
    });
    expect(records).toMatchObject([
      { messages: [{ method: 'tools/call', name: 'echo' }], bytesIn: body.length },
    ]);
  });

  it('that was relayed as an event stream, with all bytes that were sent', async () => {
    let received = '';
    const { records } = await recordsOf(
      async (url) => {
        const answer = send(url, modern());
        const exchange = await fixture.upstream.nextRequest();
        exchange.startSse();
        await exchange.sendEvent({ data: 'one' });
        const stream = await answer;
        await stream.received(': keep-alive');
        exchange.end();
        received = await stream.text();
      },
      { limits: { keepAlive: 20 } },
    );
    expect(records).toMatchObject([{ bytesOut: received.length }]);
  });
});

it('bodies are not read for observers that do not need the messages', async () => {
  const records: CallRecord[] = [];
  const observer = { ended: (record: CallRecord) => void records.push(record) };
  const gateway = await startGateway(fixture.server.store, { observers: [observer] });
  const url = fixture.urlOf(await fixture.integrate(), gateway.origin);
  const answer = send(url, modern());
  (await fixture.upstream.nextRequest()).respondResult({});
  await (await answer).text();
  await expect.poll(() => records).toMatchObject([{ messages: [], bytesIn: 71 }]);
  await gateway.close();
});
