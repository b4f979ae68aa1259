import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { valueIn } from '../support/exposition.ts';
import { callGateway, createSubject, type Subject } from './support/changes.ts';
import { runCommand } from './support/run-command.ts';
import { hasPostgresql } from './support/stores.ts';
import { startTwoNodes, type TwoNodes } from './support/two-nodes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const MODERN = { authMode: 'none', isModern: true } as const;

/** The status of a call at the second node, and the milliseconds that it took. */
async function timedCall(nodes: TwoNodes, subject: Subject) {
  const begun = performance.now();
  const { status } = await callGateway(nodes, subject);
  return { status, ms: performance.now() - begun };
}

async function isMemoryTrusted({ api }: TwoNodes): Promise<boolean> {
  const { text } = await api.second.expect(200, 'GET', '//metrics');
  return valueIn(text, 'gatehouse_memory_trusted') === 1;
}

const AHEAD = 15 * 60_000;

/** A module that sets the clock of a process ahead. */
const CLOCK_AHEAD = `
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [Date.now()] : given));
  }
  static now() {
    return super.now() + ${AHEAD};
  }
};`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(CLOCK_AHEAD)}` };

/** The second has a clock that is 15 minutes ahead, which changes nothing of the rest. */
let nodes: TwoNodes;
beforeAll(async () => {
  if (hasPostgresql) nodes = await startTwoNodes(env);
});
afterAll(() => nodes?.close());

describe.runIf(hasPostgresql)('while the database is slow for a node', () => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await createSubject(nodes, MODERN);
    await callGateway(nodes, subject);
  });

  const slowBy = (milliseconds: number) =>
    nodes.databaseProxy.setFault({ kind: 'latency', milliseconds: milliseconds / 2 });

  test('by 0.2 s a statement, calls take as long as before', async () => {
    slowBy(200);
    await expect.poll(() => isMemoryTrusted(nodes), { timeout: 20_000 }).toBe(true);
    await callGateway(nodes, subject);
    const calls = [];
    for (let count = 0; count < 10; count += 1) calls.push(await timedCall(nodes, subject));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect(calls.filter(({ ms }) => ms < 150).length, JSON.stringify(calls)).toBeGreaterThan(7);
  });

  test('by a second a statement, it trusts nothing in its memory, and calls take seconds', async () => {
    slowBy(1_000);
    await expect.poll(() => isMemoryTrusted(nodes), { timeout: 20_000 }).toBe(false);
    const { status, ms } = await timedCall(nodes, subject);
    expect({ status, isSlow: ms > 1_000 && ms < 10_000 }).toEqual({ status: 200, isSlow: true });
    const { status: ready } = await fetch(`${nodes.second.origin}/readyz`);
    expect(ready).toBe(200);
  });

  test('the first calls after it are as before', async () => {
    nodes.databaseProxy.setFault({ kind: 'pass' });
    await expect.poll(() => isMemoryTrusted(nodes), { timeout: 20_000 }).toBe(true);
    await callGateway(nodes, subject);
    const { status, ms } = await timedCall(nodes, subject);
    expect({ status, isSlow: ms > 500 }).toEqual({ status: 200, isSlow: false });
  });
});

describe.runIf(hasPostgresql)('a node with a clock that is 15 minutes ahead', () => {
  test('takes tokens that the other has issued: the database judges their expiry', async () => {
    for (const isOwn of [true, false]) {
      const client = await createSubject(nodes, { ...MODERN, isOwn });
      expect(await callGateway(nodes, client)).toMatchObject({ status: 200 });
    }
  });

  test('is found by gatehouse check', async () => {
    const { stdout } = await runCommand(['check', '--json'], {
      ...env,
      DATABASE_URL: nodes.databaseUrl,
      GATEHOUSE_ENCRYPTION_KEYS: `other:${randomBytes(32).toString('base64')}`,
      GATEHOUSE_PUBLIC_URL: nodes.second.origin,
    });
    const { findings } = JSON.parse(stdout);
    expect(findings).toContainEqual(expect.objectContaining({ about: 'clock', status: 'error' }));
  });
});
