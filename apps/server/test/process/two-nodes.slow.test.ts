import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import {
  type Change,
  callGateway,
  changes,
  createSubject,
  openStream,
  type Subject,
} from './support/changes.ts';
import { randomSecret } from './support/routes.ts';
import { startServer } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';
import { startTwoNodes, type TwoNodes } from './support/two-nodes.ts';

vi.setConfig({ testTimeout: 240_000 });

/** For waits without a promised time. */
const EVENTUALLY = { timeout: 60_000 };

/** The promise: what one node has acknowledged holds on the other after this many milliseconds. */
const WITHIN = 1_000;

const named = Object.entries(changes);

let nodes: TwoNodes;
beforeAll(async () => {
  if (hasPostgresql) nodes = await startTwoNodes();
});
afterAll(() => nodes?.close());

describe.runIf(hasPostgresql)('a change on one node holds on the other within a second', () => {
  test.each(named)('%s', async (_name, change) => {
    const subject = await warmSubject(nodes, change);
    await change.apply(nodes, subject);
    await expectHeldInTime(nodes, change, subject, performance.now());
  });

  test('right after pg_terminate_backend of its listener', async () => {
    await expectAllHeld(nodes, () => nodes.terminateListener());
  });

  test('while its LISTEN connection is a black hole', async () => {
    await expectAllHeld(nodes, async () => nodes.listenerProxy.blackHole());
    const listened = nodes.listenerProxy.listened;
    nodes.listenerProxy.restore();
    await vi.waitUntil(() => nodes.listenerProxy.listened > listened, EVENTUALLY);
  });

  test.each([
    ['', () => undefined],
    [', its LISTEN connection a black hole by then', () => nodes.listenerProxy.blackHole()],
  ])('on the first request after it was stopped and continued%s', async (_, disturb) => {
    const subjects = await warmSubjects(nodes);
    nodes.second.pause();
    onTestFinished(() => {
      nodes.second.resume();
      nodes.listenerProxy.restore();
    });
    disturb();
    for (const [, change, subject] of subjects) await change.apply(nodes, subject);
    await delay(WITHIN);
    const answers = subjects.map(
      async ([name, change, subject]) =>
        [name, change.isHeld(await callGateway(nodes, subject), nodes)] as const,
    );
    nodes.second.resume();
    expect(await Promise.all(answers)).toEqual(named.map(([name]) => [name, true]));
  });

  test('also on open streams, which are cut, even without a listener', async () => {
    const subjects = (await warmSubjects(nodes)).filter(([, { endsSession }]) => endsSession);
    expect(subjects).not.toEqual([]);
    const streams = await Promise.all(subjects.map(([, , subject]) => openStream(nodes, subject)));
    const ended = Promise.all(streams.map((stream) => stream.text()));
    nodes.listenerProxy.blackHole();
    onTestFinished(() => nodes.listenerProxy.restore());
    for (const [, change, subject] of subjects) await change.apply(nodes, subject);
    // Nothing but why the stream ends.
    for (const text of await ended) expect(text).toMatch(/^event: message\ndata: .*-31002.*\n\n$/);
  });

  test('or the other refuses with 503 while the database is out of reach', async () => {
    const [, change] = named[0] ?? expect.fail('no change');
    const subject = await warmSubject(nodes, change);
    nodes.databaseProxy.setFault({ kind: 'reset' });
    onTestFinished(() => nodes.databaseProxy.setFault({ kind: 'pass' }));
    await change.apply(nodes, subject);
    const appliedAt = performance.now();
    const answer = await vi.waitUntil(async () => {
      const sentAt = performance.now();
      const { status, code, reached } = await callGateway(nodes, subject);
      if (reached === undefined) return { status, code };
      // However slow this machine is: what is sent a second after the change does not pass.
      expect(sentAt - appliedAt).toBeLessThan(WITHIN);
      return undefined;
    }, EVENTUALLY);
    expect(answer).toMatchObject({ status: 503, code: 'database_unavailable' });

    nodes.databaseProxy.setFault({ kind: 'pass' });
    const known = await vi.waitUntil(async () => {
      const answer = await callGateway(nodes, subject);
      return answer.status === 503 ? undefined : answer;
    }, EVENTUALLY);
    expect(known).toMatchObject({ status: 401, reached: undefined });
  });
});

describe.runIf(hasPostgresql)('an Idempotency-Key used at two nodes', () => {
  test('is in progress at the second while the first is at it, and replayed afterwards', async () => {
    const { api, database } = nodes;
    const created = await api.first.expect(201, 'POST', '/integrations', {
      body: { name: 'Before', url: 'https://mcp.example.com/mcp' },
    });
    const { id } = created.body.integration;
    const rename = {
      body: { name: 'After' },
      headers: { 'idempotency-key': 'the-same-at-both' },
    };

    await database.query('BEGIN');
    await database.query('SELECT 1 FROM "Integration" WHERE "id" = $1 FOR UPDATE', [id]);
    const first = api.first.call('PATCH', `/integrations/${id}`, rename);
    await vi.waitUntil(async () => {
      const waiting = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.rowCount === 1;
    }, EVENTUALLY);
    const second = await api.second.call('PATCH', `/integrations/${id}`, rename);
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    expect(second.headers.get('retry-after')).toBe('1');

    await database.query('COMMIT');
    const answer = await first;
    expect(answer).toMatchObject({ status: 200, body: { integration: { name: 'After' } } });
    const replayed = await api.second.call('PATCH', `/integrations/${id}`, rename);
    expect([replayed.status, replayed.text]).toEqual([answer.status, answer.text]);
    expect(replayed.headers.get('etag')).toBe('"v2"');
  });
});

describe.runIf(hasPostgresql)('two nodes that start at once on an empty database', () => {
  test('make one organization with one owner', async () => {
    const database = await createEmptyPostgresql();
    onTestFinished(() => database.drop());
    const { databaseUrl } = database.config;
    const tokens = [randomSecret(), randomSecret()];
    const servers = await Promise.all(
      tokens.map((bootstrapToken) => startServer({ databaseUrl, bootstrapToken })),
    );
    const answers = await Promise.all(
      servers.flatMap(({ baseUrl }) =>
        tokens.map((bootstrapToken) => createApi({ baseUrl, bootstrapToken }).call('GET', '/me')),
      ),
    );
    const known = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 401, 401]);
    expect(new Set(known.map(({ body }) => body.organization.id)).size).toBe(1);
    expect(new Set(known.map(({ body }) => body.user.id)).size).toBe(1);
    const { databaseUrl: connectionString } = database.config;
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query(
      'SELECT (SELECT count(*)::int FROM "Organization") AS organizations, (SELECT count(*)::int FROM "User") AS users',
    );
    await client.end();
    expect(rows).toEqual([{ organizations: 1, users: 1 }]);
    await Promise.all(servers.map((server) => server.stop()));
  });
});

/** A subject that the second node has in memory. */
async function warmSubject(nodes: TwoNodes, change: Change): Promise<Subject> {
  const subject = await createSubject(nodes, change);
  for (let call = 0; call < 2; call += 1) {
    const answer = await callGateway(nodes, subject);
    expect(answer).toMatchObject({ status: 200, code: undefined });
    expect(change.isHeld(answer, nodes)).toBe(false);
  }
  return subject;
}

/** One after the other: together they would be too much for the database of a busy machine. */
async function warmSubjects(nodes: TwoNodes): Promise<(readonly [string, Change, Subject])[]> {
  const subjects: (readonly [string, Change, Subject])[] = [];
  for (const [name, change] of named) {
    subjects.push([name, change, await warmSubject(nodes, change)]);
  }
  return subjects;
}

/** Every change at once, made by the first node right after the disturbance of the second. */
async function expectAllHeld(nodes: TwoNodes, disturb: () => Promise<void>): Promise<void> {
  const subjects = await warmSubjects(nodes);
  await disturb();
  await Promise.all(
    subjects.map(async ([, change, subject]) => {
      await change.apply(nodes, subject);
      await expectHeldInTime(nodes, change, subject, performance.now());
    }),
  );
}

/** Calls until the change is held: of the calls begun later than promised, the first must hold it. */
async function expectHeldInTime(
  nodes: TwoNodes,
  change: Change,
  subject: Subject,
  appliedAt: number,
): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    if (change.isHeld(await callGateway(nodes, subject), nodes)) return;
    expect(startedAt - appliedAt).toBeLessThan(WITHIN);
  }
}
