import { setTimeout as delay } from 'node:timers/promises';
import { type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readAll } from '../process/support/raw-call.ts';
import { createRoute } from '../process/support/routes.ts';
import { hasPostgresql } from '../process/support/stores.ts';
import { type ProxiedNodes, startProxiedNodes } from './support/proxied-nodes.ts';
import { PROXIES } from './support/proxies.ts';
import { callBody, callHeaders, sendSecurely } from './support/secure-call.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** More than any call takes here, and less than a call to a node that does not answer. */
const AT_ONCE = 1_500;

describe.skipIf(!hasPostgresql).each(PROXIES)('behind %s', (_, proxy) => {
  let nodes: ProxiedNodes;
  let upstream: ScriptedUpstream;
  let url: string;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.otherwise((exchange) => exchange.respondResult({}));
    nodes = await startProxiedNodes(proxy);
    url = nodes.origin + (await createRoute(nodes.api, { url: upstream.url })).path;
  });
  afterAll(() => upstream?.close());

  /** The statuses of calls one after the other, each on its own connection. */
  const statusesOf = async (calls: number): Promise<(number | string | undefined)[]> => {
    const statuses = new Set<number | string | undefined>();
    for (let count = 0; count < calls; count += 1) {
      const call = sendSecurely(url, {
        method: 'POST',
        headers: callHeaders(nodes.token),
        body: callBody(),
        signal: AbortSignal.timeout(AT_ONCE),
      }).then((response) => readAll(response).then(() => response.statusCode));
      statuses.add(await call.catch((error: Error) => error.name));
    }
    return [...statuses];
  };

  test(`calls succeed ${proxy.skips} ms after a node was killed, and when it is back`, async () => {
    await nodes.process(0).kill9();
    await delay(proxy.skips);
    expect(await statusesOf(20)).toEqual([200]);
    await nodes.start(0);
    expect(await statusesOf(20)).toEqual([200]);
  });

  test('a write is refused with 503 while no node is ready, and taken afterwards', async () => {
    const write = async () => {
      const response = await sendSecurely(`${nodes.origin}/api/v1/tokens`, {
        method: 'POST',
        headers: callHeaders(nodes.token),
        body: JSON.stringify({ name: 'written', scopes: ['mcp'] }),
      });
      return { status: response.statusCode, body: await readAll(response) };
    };
    await nodes.setReadOnly(true);
    await delay(proxy.leavesOut ?? 0);
    expect(await write()).toEqual({
      status: 503,
      body: expect.stringMatching(proxy.whenUnready),
    });
    await nodes.setReadOnly(false);
    await expect.poll(write, { timeout: 20_000 }).toMatchObject({ status: 201 });
  });

  const { leavesOut } = proxy;
  if (leavesOut !== undefined) {
    test('a node that is frozen gets no more calls', async () => {
      nodes.process(1).pause();
      onTestFinished(() => nodes.process(1).resume());
      await delay(leavesOut);
      expect(await statusesOf(20)).toEqual([200]);
    });
  }
});
