import { type Fault, type FaultProxy, startFaultProxy } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../authorization-server/fixture.ts';
import { Browser, givePassword, hiddenFieldsOf, signedInBrowser } from '../support/browser.ts';
import { type Cluster, canStartCluster, startCluster } from '../support/cluster.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openPostgresqlStore } from '../support/store.ts';
import { INPUTS } from './inputs.ts';

/** Percent-encoded: one that may be an id or a secret, and one that the database cannot store. */
const VALUES = ['s'.repeat(43), '%00'];

/** A stream of seconds, the answer to balancers, and the page that would end the sign-in. */
const LEFT_OUT = ['/healthz/stream', '/readyz', '/sign-out'];

interface Visitor {
  readonly browser: Browser;
  readonly formToken: string;
}

let cluster: Cluster;
let proxy: FaultProxy;
let server: TestServer;
let visitors: Visitor[];

async function visitorOf(browser: Browser, page: string): Promise<Visitor> {
  return { browser, formToken: hiddenFieldsOf((await browser.open(page)).text).form_token ?? '' };
}

/** Every request of the table at once. @returns what was answered, by request */
async function answers(): Promise<Map<string, { status: number; retryAfter: string | null }>> {
  const inputs = Object.values(INPUTS).filter(({ url }) => !LEFT_OUT.includes(url));
  const asked = inputs.flatMap(({ url, fields }) =>
    VALUES.flatMap((value) =>
      visitors.flatMap(({ browser, formToken }, visitor) => {
        const path = url.replaceAll('{}', value);
        const pairs = fields.map((field) => `${field}=${value}`);
        const body = [`form_token=${formToken}`, ...pairs].join('&');
        const type = 'application/x-www-form-urlencoded';
        const form = { headers: { origin: server.origin, 'content-type': type }, body };
        const name = `${path} of visitor ${visitor}`;
        return [
          [`GET ${name}`, browser.send('GET', `${path}?${pairs.join('&')}`)] as const,
          [`POST ${name}`, browser.send('POST', path, form)] as const,
        ];
      }),
    ),
  );
  const found = asked.map(async ([name, sent]) => {
    const { status, headers } = await sent;
    return [name, { status, retryAfter: headers.get('retry-after') }] as const;
  });
  return new Map(await Promise.all(found));
}

async function waitUntilServed(): Promise<void> {
  await vi.waitFor(async () => expect((await fetch(`${server.origin}/readyz`)).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  });
}

describe.runIf(canStartCluster)('hostile input, while the database', () => {
  beforeAll(async () => {
    cluster = await startCluster();
    proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: cluster.port } });
    const databaseUrl = cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`);
    const config = { databaseUrl, dataDir: '' };
    server = await startTestServer({}, () =>
      openPostgresqlStore({ config, drop: () => Promise.resolve() }),
    );
    await createClient(server, { allowDynamicClients: true });
    visitors = [
      await visitorOf(await signedInBrowser(server, await givePassword(server.store)), '/account'),
      await visitorOf(new Browser(server), '/sign-in'),
    ];
  });
  afterAll(async () => {
    await server?.close();
    await proxy?.close();
    cluster?.close();
  });

  it.each<[string, Fault]>([
    ['resets connections', { kind: 'reset' }],
    ['is silent', { kind: 'black-hole' }],
    ['is slow', { kind: 'latency', milliseconds: 200 }],
    ['goes at once', { kind: 'limit-data', bytes: 1 }],
    ['goes in the middle of an answer', { kind: 'limit-data', bytes: 60 }],
    ['goes after some answers', { kind: 'limit-data', bytes: 1_000 }],
  ])('%s, is no failure but 503', async (_, fault) => {
    await waitUntilServed();
    proxy.setFault(fault);
    try {
      const found = [...(await answers())].filter(([, { status }]) => status >= 500);
      const unavailable = found.filter(
        ([, { status, retryAfter }]) => status === 503 && retryAfter !== null,
      );
      expect(found.filter((one) => !unavailable.includes(one))).toEqual([]);
      if (fault.kind !== 'latency') expect(unavailable.length).toBeGreaterThan(0);
    } finally {
      proxy.setFault({ kind: 'pass' });
    }
  });
});
