import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { useFaultModel } from './fault-model/run.ts';
import { type ScriptedServer, startScriptedServer, toolOf } from './scripted-server.ts';

/** Milliseconds in which the first list and later ones are there, however many upstreams are late. A free machine needs 3.2 s. */
const FIRST = 4_000;
const LATER = 100;

/** Milliseconds after which a call that hangs ends: longer than lists wait. */
const CALL_DEADLINE = 4_500;

const fixture = useFixture();
const gateway = use(() =>
  startGateway(fixture.server.store, { limits: { callDeadline: CALL_DEADLINE } }),
);

const LISTED = 'ok 1';
const answered = { result: expect.anything() };
const failedWith = (code: string, data: object = {}) => ({
  error: {
    code: -31005,
    message: expect.any(String),
    data: expect.objectContaining({ code, ...data }),
  },
});

interface Fault {
  readonly name: string;
  fail(server: ScriptedServer): void | Promise<void>;
  /** State and count in the first list. */
  readonly listed: string;
  readonly called: object;
  readonly eras?: readonly string[];
}

const pageWith = (tools: object[], nextCursor?: string) => ({
  tools,
  ...(nextCursor && { nextCursor }),
});

function cursorOf({ request }: Exchange): number {
  return Number(JSON.parse(request.body.toString()).params.cursor ?? 0);
}

/** An answer that ends before it is whole. */
function cutShort({ sendHead, send, drop, message }: Exchange) {
  sendHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  void send(`{"jsonrpc":"2.0","id":${JSON.stringify(message?.id)},"result":{"tools":[`);
  setTimeout(drop, 20);
}

const FAULTS: readonly Fault[] = [
  { name: 'healthy', fail: () => {}, listed: LISTED, called: answered },
  {
    name: 'hangs',
    fail: ({ onAll }) => onAll(() => {}),
    listed: 'late 0',
    called: failedWith('upstream_timeout'),
  },
  {
    name: 'refuses',
    fail: ({ close }) => close(),
    listed: 'failed 0',
    called: failedWith('upstream_unreachable'),
  },
  {
    name: 'status',
    fail: ({ on }) => {
      for (const method of ['tools/list', 'tools/call']) {
        on(method, ({ respond }) =>
          respond({ status: 503, headers: { 'Retry-After': '7' }, body: 'down' }),
        );
      }
    },
    listed: 'failed 0',
    called: failedWith('upstream_status', { status: 503, retryAfter: 7 }),
  },
  {
    name: 'jsonstatus',
    fail: ({ on }) => {
      for (const method of ['tools/list', 'tools/call']) {
        on(method, ({ respond }) =>
          respond({
            status: 500,
            body: { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'No.' } },
          }),
        );
      }
    },
    listed: 'failed 0',
    called: failedWith('upstream_status', { status: 500 }),
  },
  {
    name: 'cut',
    fail: ({ on }) => {
      on('tools/list', cutShort);
      on('tools/call', ({ drop }) => drop());
    },
    listed: 'failed 0',
    called: failedWith('upstream_unreachable'),
  },
  {
    name: 'slow',
    fail: ({ on }) =>
      on('tools/list', async (exchange) => {
        const page = cursorOf(exchange);
        await sleep(1_200);
        exchange.respondResult(
          pageWith([toolOf(`page${page}`)], page < 3 ? String(page + 1) : undefined),
        );
      }),
    listed: 'late 0',
    called: answered,
  },
  {
    name: 'large',
    fail: ({ on }) =>
      on('tools/list', ({ respondResult }) =>
        respondResult({
          tools: [{ ...toolOf('large'), description: 'x'.repeat(1024 * 1024) }, toolOf('echo')],
        }),
      ),
    listed: LISTED,
    called: answered,
  },
  {
    name: 'twice',
    fail: ({ on }) =>
      on('tools/list', ({ respondResult }) =>
        respondResult({ tools: [toolOf('same'), toolOf('echo'), toolOf('same')] }),
      ),
    listed: LISTED,
    called: answered,
  },
  ...['{"jsonrpc":"2.0","result":{"tools":[}}', 'null', '[]', '3', ''].map(
    (body, index): Fault => ({
      name: `invalid-${index}`,
      fail: ({ on }) => {
        on('tools/list', ({ respond }) =>
          respond({ headers: { 'Content-Type': 'application/json' }, body }),
        );
      },
      listed: 'failed 0',
      called: answered,
    }),
  ),
  {
    name: 'redirect',
    fail: ({ onAll }) =>
      onAll(({ respond }) => respond({ status: 307, headers: { Location: '/' } })),
    listed: 'failed 0',
    called: failedWith('upstream_redirected'),
  },
];

const FAILED = FAULTS.filter(({ listed }) => listed === 'failed 0').map(({ name }) => name);

describe.each(['legacy', 'modern'] as const)('with upstreams that fail, in the %s era', (era) => {
  const servers = new Map<string, ScriptedServer>();
  let client: AggregateClient;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    for (const { name, fail } of FAULTS) {
      const server = await startScriptedServer(name);
      servers.set(name, server);
      const id = await fixture.integrate({ name, url: server.url });
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
      await fail(server);
    }
    const { owner } = fixture.server;
    client = await openClient(`${gateway.origin}/mcp/${applicationId}`, owner, era);
  });
  afterAll(() =>
    Promise.all([...servers.values()].map((server) => server.close().catch(() => {}))),
  );

  it('lists in time what there is, and tells the state of each', async () => {
    const begun = performance.now();
    const { states, names } = await client.listTools();
    expect(performance.now() - begun).toBeLessThan(FIRST);
    expect(states).toEqual(Object.fromEntries(FAULTS.map(({ name, listed }) => [name, listed])));
    expect(names).toEqual(
      FAULTS.filter(({ listed }) => listed === LISTED).map(({ name }) => `${name}__echo`),
    );
  });

  it('waits for no late one again, and leaves alone those that have failed', async () => {
    const requests = () =>
      new Map([...servers].map(([name, { received }]) => [name, received('tools/list').length]));
    const before = requests();
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const begun = performance.now();
      await client.listTools();
      times.push(performance.now() - begun);
    }
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(LATER);
    const after = requests();
    // Each may be due for one more try. One that is slow goes on with its pages.
    const isAskedMore = (name: string) => (after.get(name) ?? 0) > (before.get(name) ?? 0) + 1;
    expect(FAILED.filter(isAskedMore)).toEqual([]);
  });

  it('lists a slow one once it has answered', async () => {
    const state = async () => (await client.listTools()).states.slow;
    await expect.poll(state, { timeout: 5_000 }).toBe('ok 4');
  });

  it.each(FAULTS)('a call answers in HTTP 200: $name', async ({ name, called }) => {
    const { status, body } = await client.call(`${name}__echo`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 5, ...called },
    });
  });

  it('has sent each call once', () => {
    for (const [name, { received }] of servers) {
      const isReached = !['refuses', 'hangs', 'redirect'].includes(name);
      if (isReached) expect(received('tools/call'), name).toHaveLength(1);
    }
  });
});

const walk = useFaultModel(fixture, gateway);

it(
  'lists and calls of ten upstreams under faults are as the model says',
  () => walk(3, 30),
  180_000,
);
