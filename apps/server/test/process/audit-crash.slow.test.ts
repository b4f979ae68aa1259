import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LaunchedGatehouse } from '@gatehouse/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { type ApiTarget, createApi } from './support/api.ts';
import {
  type AuditedLoad,
  callingClient,
  type LoadClient,
  type SentRequest,
  startAuditedLoad,
  writingClient,
} from './support/audited-load.ts';
import { startEchoUpstream } from './support/echo-upstream.ts';
import { createRoute, randomSecret } from './support/routes.ts';
import { runCommand } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

/** The long run sets GATEHOUSE_CRASH_ROUNDS to 100. */
const ROUNDS = Number(process.env.GATEHOUSE_CRASH_ROUNDS ?? 3);
const MILLISECONDS_FOR_A_ROUND = 60_000;
const WRITERS = 2;

/** Messages in each body of one of the callers. */
const BATCH = 20;

/** What a killed node loses at most: the calls of a second, and of the write that it was in, on a machine that does much else. */
const LOST = { milliseconds: 1_000 + 1_500, events: 1_000 };

/** A call that does not wait for its commit is answered 100 ms before it. */
const SLOW_COMMITS = '-c commit_delay=100000 -c commit_siblings=0';

const directory = temporaryDirectory();

describe.runIf(hasPostgresql)('two nodes of which one is killed under load', () => {
  test(
    `keep every change, lose at most a second of calls, and verify, ${ROUNDS} times`,
    async () => {
      const { nodes, restart, endLeases, command, clients } = await startInstallation();
      const key = (await command('audit', 'key', '--json')).json.publicKey;
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(await callAndKill(nodes, clients, round % 2));
        await restart(round % 2);
        if (round === 0) await command('audit', 'export', fileOf('early'));
      }
      for (const node of nodes) expect((await node.stop()).code).toBe(0);
      await endLeases();
      await command('audit', 'export', fileOf('late'));

      const late = await verify('late', '--key', key, ...headsIn('early'));
      expect(late).toMatchObject({ code: 0, json: { verdict: 'verified', findings: [] } });
      expect(late.json).toMatchObject({ keyChecked: true, headsChecked: runsIn('early').length });
      const killed = new Set(rounds.map(({ pid }) => pid));
      for (const { node, end } of late.json.runs) {
        expect([node, end]).toEqual([node, killed.has(pidOf(node)) ? 'crashed' : 'ended']);
      }
      expect(late.json.runs.length).toBeGreaterThan(ROUNDS);
      // A person who sets the database back shows an export that was true once.
      const setBack = await verify('early', '--key', key, ...headsIn('late'));
      expect(setBack.code).toBe(4);
      expect(setBack.json.findings.map(({ code }: { code: string }) => code)).toContain('head');

      const found = countEvents('late');
      expectChanges(rounds, found.get('integration.updated') ?? new Map());
      expectCalls(rounds, found.get('call') ?? new Map());
    },
    60_000 + ROUNDS * MILLISECONDS_FOR_A_ROUND,
  );

  test('lose no call that went upstream, where calls wait for the audit', async () => {
    const installation = await startInstallation({ GATEHOUSE_AUDIT_CALLS: 'sync' }, SLOW_COMMITS);
    const { nodes, endLeases, command, clients } = installation;
    const key = (await command('audit', 'key', '--json')).json.publicKey;
    const { ofKilled, ofOther } = await callAndKill(nodes, clients, 0);
    expect((await nodes[1].stop()).code).toBe(0);
    await endLeases();
    await command('audit', 'export', fileOf('sync'));
    expect(await verify('sync', '--key', key)).toMatchObject({ code: 0 });

    const found = countEvents('sync').get('call') ?? new Map();
    expectNoOthers([...ofKilled.calls, ...ofOther.calls], found);
    // The beginning and the end of each.
    for (const { requestId, events } of ofOther.calls) {
      expect(found.get(requestId)).toBe(2 * events);
    }
    const answered = ofKilled.calls.filter(({ answeredAt }) => answeredAt !== undefined);
    expect(answered.length).toBeGreaterThan(0);
    const lost = answered.filter(({ requestId, events }) => (found.get(requestId) ?? 0) < events);
    expect(lost).toEqual([]);
  }, 120_000);
});

/** What was sent while both nodes ran, and which one was killed. */
interface Round {
  readonly pid: number;
  readonly killedAt: number;
  readonly ofKilled: Sent;
  readonly ofOther: Sent;
}

interface Sent {
  readonly calls: readonly SentRequest[];
  readonly writes: readonly SentRequest[];
}

/** Of one node. */
interface Clients {
  readonly calling: readonly LoadClient[];
  readonly writing: readonly LoadClient[];
}

async function startInstallation(settings: Readonly<Record<string, string>> = {}, options = '') {
  const database = await createEmptyPostgresql();
  onTestFinished(() => database.drop());
  const upstream = await startEchoUpstream();
  onTestFinished(() => upstream.close());
  const { databaseUrl } = database.config;
  const bootstrapToken = randomSecret();
  const env = {
    GATEHOUSE_PUBLIC_URL: 'http://127.0.0.1:1',
    GATEHOUSE_ENCRYPTION_KEYS: `crash:${randomBytes(32).toString('base64')}`,
    ...settings,
  };
  const url = `${databaseUrl}?options=${encodeURIComponent(options)}`;
  const start = () => startServer({ databaseUrl: url, bootstrapToken, env });
  const nodes: [LaunchedGatehouse, LaunchedGatehouse] = [await start(), await start()];
  const clientsOfNode = () => createClients(nodes[0], upstream);
  return {
    nodes,
    clients: [await clientsOfNode(), await clientsOfNode()] as const,
    async restart(index: number): Promise<void> {
      nodes[index] = await start();
    },
    /** What a minute does: until then a killed node may still be running. */
    async endLeases(): Promise<void> {
      const store = await openDatabase(database.config);
      await store.db.node.updateMany({ data: { leaseUntil: new Date() } });
      await store.close();
    },
    async command(...args: string[]) {
      const ran = await runCommand(args, { DATABASE_URL: databaseUrl, ...env });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return ran;
    },
  };
}

async function createClients(
  server: ApiTarget,
  { url }: { readonly url: string },
): Promise<Clients> {
  const api = createApi(server);
  const { path } = await createRoute(api, { url, authMode: 'none' });
  const writing = [];
  for (let writer = 0; writer < WRITERS; writer += 1) {
    const body = { name: 'Written', url: 'https://mcp.example.com/mcp' };
    const created = await api.expect(201, 'POST', '/integrations', { body });
    writing.push(writingClient(created.body.integration.id, server.bootstrapToken));
  }
  const calling = [1, 1, BATCH].map((count) => callingClient(path, server.bootstrapToken, count));
  return { calling, writing };
}

/** Lets both nodes work, and kills one of them at a random moment. */
async function callAndKill(
  nodes: readonly LaunchedGatehouse[],
  clients: readonly Clients[],
  index: number,
): Promise<Round> {
  const loads = nodes.map(({ origin }, node) => ({
    calls: startAuditedLoad(origin, clients[node]?.calling ?? []),
    writes: startAuditedLoad(origin, clients[node]?.writing ?? []),
  }));
  await delay(1_500 + Math.random() * 2_500);
  const [killed, other] = index === 0 ? loads : loads.toReversed();
  const node = nodes[index];
  if (killed === undefined || other === undefined || node === undefined) throw new Error('Two.');
  const killedAt = Date.now();
  await node.kill9();
  const round = { pid: node.pid, killedAt };
  return { ...round, ofKilled: await endOf(killed), ofOther: await endOf(other) };
}

async function endOf({ calls, writes }: Record<'calls' | 'writes', AuditedLoad>): Promise<Sent> {
  await Promise.all([calls.stop(), writes.stop()]);
  return { calls: calls.sent, writes: writes.sent };
}

const fileOf = (name: string) => join(directory, `${name}.ndjson`);

/** As an auditor does, on a machine without settings and keys: with the file and the public key alone. */
function verify(name: string, ...args: string[]) {
  return runCommand(['audit', 'verify', fileOf(name), '--json', ...args]);
}

// biome-ignore lint/suspicious/noExplicitAny: lines of several kinds, of which a few fields are read
function linesIn(name: string): any[] {
  const lines = readFileSync(fileOf(name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const runsIn = (name: string): { run: string; number: number; hash: string }[] =>
  linesIn(name)[0].heads;

const headsIn = (name: string): string[] => [
  '--head',
  ...runsIn(name).map(({ run, number, hash }) => `${run}:${number}:${hash}`),
];

const pidOf = (node: string) => Number(node.split(':').at(-1));

/** How many events each request has left, by action. */
function countEvents(name: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { type, event } of linesIn(name)) {
    if (type !== 'event') continue;
    const ofAction = found.get(event.action) ?? new Map<string, number>();
    found.set(event.action, ofAction);
    ofAction.set(event.requestId, (ofAction.get(event.requestId) ?? 0) + 1);
  }
  return found;
}

/** Each acknowledged write has one event. One without an answer has at most one. */
function expectChanges(rounds: readonly Round[], found: ReadonlyMap<string, number>): void {
  const writes = rounds.flatMap(({ ofKilled, ofOther }) => [...ofKilled.writes, ...ofOther.writes]);
  expect(writes.length).toBeGreaterThan(rounds.length * WRITERS);
  expectNoOthers(writes, found);
  const lost = writes.filter(
    ({ requestId, answeredAt }) => answeredAt !== undefined && !found.has(requestId),
  );
  expect(lost).toEqual([]);
  expect(new Set(found.values())).toEqual(new Set([1]));
}

/** The node that goes on has each event once; the killed one lacks the last ones at most. */
function expectCalls(rounds: readonly Round[], found: ReadonlyMap<string, number>): void {
  const calls = rounds.flatMap(({ ofKilled, ofOther }) => [...ofKilled.calls, ...ofOther.calls]);
  expectNoOthers(calls, found);
  for (const { killedAt, ofKilled, ofOther } of rounds) {
    for (const { requestId, events } of ofOther.calls) expect(found.get(requestId)).toBe(events);
    let lost = 0;
    for (const { requestId, events, answeredAt } of ofKilled.calls) {
      const lacks = events - (found.get(requestId) ?? 0);
      expect(lacks).toBeGreaterThanOrEqual(0);
      if (answeredAt === undefined || lacks === 0) continue;
      lost += lacks;
      expect(killedAt - answeredAt).toBeLessThan(LOST.milliseconds);
    }
    expect(lost).toBeLessThanOrEqual(LOST.events);
  }
}

function expectNoOthers(sent: readonly SentRequest[], found: ReadonlyMap<string, number>): void {
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, undefined]));
  const ids = new Set(sent.map(({ requestId }) => requestId));
  expect([...found.keys()].filter((requestId) => !ids.has(requestId))).toEqual([]);
}
