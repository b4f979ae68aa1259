import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { CALL, clientOf, MODERN, type SendOptions, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);

/** A gateway that has had one call, and what observers got when everything had ended. */
async function recordsOf(
  callThrough: (url: string, integrationId: string) => Promise<unknown>,
  {
    limits = {},
    integration = {},
  }: { limits?: object; integration?: Record<string, unknown> } = {},
) {
  const records: CallRecord[] = [];
  const observer = { ended: (record: CallRecord) => void records.push(record) };
  const gateway = await startGateway(fixture.server.store, {
    limits,
    observers: [observer],
    allowedOrigins: ['https://app.example.com'],
  });
  const integrationId = await fixture.integrate(integration);
  await callThrough(fixture.urlOf(integrationId, gateway.origin), integrationId);
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
        sessionId: expect.any(String),
        address: undefined,
      },
    ]);
    const [{ startedAt, endedAt, ms } = { startedAt: 0, endedAt: 0, ms: 0 }] = records;
    expect(endedAt - startedAt).toBe(ms);
    expect(Math.abs(Date.now() - endedAt)).toBeLessThan(60_000);
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
});
