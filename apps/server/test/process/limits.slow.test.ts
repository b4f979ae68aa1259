import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { use } from '../support/use.ts';
import { createRoute } from './support/routes.ts';
import { hasPostgresql } from './support/stores.ts';
import { startTwoNodes } from './support/two-nodes.ts';

const PER_MINUTE = 60;
const CONCURRENT = 4;

describe.runIf(hasPostgresql)('two nodes', () => {
  const nodes = use(startTwoNodes);

  /** An integration with these limits. */
  async function limit(limits: object): Promise<string> {
    const { api, upstream } = nodes;
    const { integrationId, path } = await createRoute(api.first, {
      url: upstream.url,
      authMode: 'none',
    });
    await api.first.expect(200, 'PUT', `/integrations/${integrationId}/policy`, {
      body: { limits },
    });
    return path;
  }

  function post(url: string, method: string): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${nodes.first.bootstrapToken}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    });
  }

  /** What refused a call, and for how long; undefined if it went up. */
  async function refusalOf(url: string) {
    const response = await post(url, 'tools/list');
    const body: { error?: { code: number; data: { limit: string; retryAfter: number } } } =
      JSON.parse(await response.text());
    if (body.error === undefined) return undefined;
    const { code, data } = body.error;
    expect([response.status, code]).toEqual([200, -31004]);
    expect(response.headers.get('retry-after')).toBe(String(data.retryAfter));
    return data;
  }

  async function withinOneMinute(): Promise<void> {
    const { rows } = await nodes.database.query(
      'SELECT 60 - extract(second FROM clock_timestamp())::float8 AS "left"',
    );
    if (rows[0].left < 25) await delay(rows[0].left * 1_000 + 50);
  }

  test('let nearly all of the limit of a minute through at twice its rate, and no more', async () => {
    const path = await limit({ perMinute: PER_MINUTE });
    await withinOneMinute();
    const before = nodes.upstream.requests.length;
    const calls = [nodes.first, nodes.second].flatMap(({ origin }) =>
      Array.from({ length: PER_MINUTE }, () => refusalOf(origin + path)),
    );
    const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== undefined);
    const wentUp = nodes.upstream.requests.length - before;
    expect(wentUp + refusals.length).toBe(calls.length);
    expect(wentUp).toBeLessThanOrEqual(PER_MINUTE);
    expect(wentUp).toBeGreaterThanOrEqual(0.9 * PER_MINUTE);
    for (const { limit: reached, retryAfter } of refusals) {
      expect([reached, retryAfter > 0, retryAfter <= 60]).toEqual(['perMinute', true, true]);
    }
  });

  test('have the room of the one that was killed after five seconds', async () => {
    const { first, second } = nodes;
    const path = await limit({ concurrent: CONCURRENT });
    for (let call = 0; call < CONCURRENT; call += 1) {
      expect((await post(first.origin + path, 'stream')).status).toBe(200);
    }
    expect(await refusalOf(second.origin + path)).toMatchObject({ limit: 'concurrent' });
    const killedAt = performance.now();
    await first.kill9();
    expect(await refusalOf(second.origin + path)).toMatchObject({ retryAfter: 1 });
    await expect.poll(() => refusalOf(second.origin + path)).toBeUndefined();
    expect(performance.now() - killedAt).toBeLessThan(8_000);
  });
});
