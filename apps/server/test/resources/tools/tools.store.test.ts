import { beforeEach, describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember } from '../../support/users.ts';
import { createIntegration } from '../applications/support.ts';
import { fingerprintOf, insertTool, type NewToolRow } from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
let integrationId: string;
let path: string;

beforeEach(async () => {
  integrationId = await createIntegration(server);
  path = `/integrations/${integrationId}/tools`;
});

const insert = (tool: Omit<NewToolRow, 'integrationId'> = {}) =>
  insertTool(server, { integrationId, ...tool });
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const list = async (query = '') => (await server.call('GET', `${path}${query}`)).body;
const post = (verb: string, fingerprints: Readonly<Record<string, string>>) =>
  server.call('POST', `${path}/${verb}`, { body: { fingerprints }, token: admin.token });
const definitionOf = (name: string, length: number) =>
  JSON.stringify({ name, description: 'x'.repeat(length) });

describe('the list of tools', () => {
  it('says when a definition was seen, and who approved which one when', async () => {
    const approvals = { approvedAt: at(5), approvedBy: admin.id };
    const old = await insert({ definition: '{"title":"old"}', lastSeenAt: at(1), ...approvals });
    const other = { definition: '{"title":"other"}', approvedAt: at(7), approvedBy: null };
    const newer = await insert({ ...other, lastSeenAt: at(2) });
    const latest = await insert({ definition: '{"title":"new"}', lastSeenAt: at(3) });
    const { items } = await list();
    expect(items).toEqual([
      {
        name: 'search',
        state: 'changed',
        fingerprint: latest,
        approved: [
          { fingerprint: newer, approvedAt: at(7).toISOString(), approvedBy: null },
          { fingerprint: old, approvedAt: at(5).toISOString(), approvedBy: admin.id },
        ],
        readOnly: false,
        definition: { title: 'new' },
        changes: [{ op: 'replace', path: '/title', value: 'new' }],
        firstSeenAt: at(3).toISOString(),
        lastSeenAt: at(3).toISOString(),
      },
    ]);
  });

  it('shows the definition that is listed again after another', async () => {
    const first = await insert({ definition: '{"title":"a"}', lastSeenAt: at(1) });
    await insert({ definition: '{"title":"b"}', lastSeenAt: at(2) });
    await insert({ definition: '{"title":"a"}', fingerprint: first, lastSeenAt: at(3) });
    expect((await list()).items).toMatchObject([
      { fingerprint: first, definition: { title: 'a' } },
    ]);
  });

  it('shows no definition that is too long or has too much in it', async () => {
    await insert({ name: 'a', definition: null, approvedAt: at(1) });
    const deep = `{"a":${'['.repeat(65)}${']'.repeat(65)}}`;
    await insert({ name: 'b', definition: deep, approvedAt: at(1) });
    const { items } = await list();
    const nothing = { definition: null, changes: null };
    expect(items).toMatchObject([nothing, nothing]);
  });

  it('ends a page before its definitions are too long in all, and goes on behind it', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `tool-${String(n).padStart(2, '0')}`);
    for (const name of names) await insert({ name, definition: definitionOf(name, 60 * 1024) });
    const seen: string[] = [];
    for (let query = '?limit=100'; query !== ''; ) {
      const { items, nextCursor } = await list(query);
      expect(items.length).toBeLessThanOrEqual(5);
      seen.push(...items.map(({ name }: { name: string }) => name));
      query = nextCursor === null ? '' : `?limit=100&cursor=${encodeURIComponent(nextCursor)}`;
    }
    expect(seen).toEqual(names);
  });

  it('is read when what was read before it has let others have their turn', async () => {
    await insert();
    server.store.statements();
    const turns: string[][] = [];
    let isDone = false;
    const turn = () => {
      turns.push(server.store.statements());
      if (!isDone) setImmediate(turn);
    };
    turn();
    await list();
    isDone = true;
    const ofPage = turns.find((statements) => statements.some((sql) => sql.includes('WITH page')));
    expect(ofPage).toHaveLength(1);
  });
});

describe('approving and withdrawing', () => {
  it('says who approved, and keeps what was approved before as it was', async () => {
    const before = { approvedAt: at(1), approvedBy: null };
    const a = await insert({ name: 'a', definition: '{"a":1}', ...before });
    const b = await insert({ name: 'b', definition: '{"b":1}' });
    expect((await post('approve', { a, b })).body).toEqual({ changed: ['b'] });
    const { items } = await list();
    expect(items).toMatchObject([
      { name: 'a', approved: [{ approvedAt: at(1).toISOString(), approvedBy: null }] },
      { name: 'b', state: 'approved', approved: [{ fingerprint: b, approvedBy: admin.id }] },
    ]);
  });

  it('approves nothing if one of them has changed', async () => {
    const a = await insert({ name: 'a', definition: '{"a":1}' });
    const b = await insert({ name: 'b', definition: '{"b":1}', lastSeenAt: at(1) });
    await insert({ name: 'b', definition: '{"b":2}', lastSeenAt: at(2) });
    const refused = await post('approve', { a, b });
    expect([refused.status, refused.body.tools]).toEqual([409, ['b']]);
    expect((await list('?state=new')).items).toHaveLength(2);
  });

  it('leaves the version of the integration, and says when it was', async () => {
    const search = await insert();
    const read = () =>
      server.store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
    const before = await read();
    await post('withdraw', { search });
    expect((await read()).toolsReviewedAt).toBeNull();
    await post('approve', { search });
    const approved = await read();
    expect(approved.toolsReviewedAt).not.toBeNull();
    expect(approved.version).toBe(before.version);
    await post('withdraw', { search });
    expect((await read()).toolsReviewedAt).not.toEqual(approved.toolsReviewedAt);
  });

  it('names at most 100 tools that have changed', async () => {
    const names = Array.from({ length: 101 }, (_, n) => String(1000 + n));
    const { body } = await post(
      'approve',
      Object.fromEntries(names.map((name) => [name, fingerprintOf(name)])),
    );
    expect(body.tools).toEqual(names.slice(0, 100));
  });

  it('never approves what another integration has', async () => {
    const other = await createIntegration(server);
    const search = await insertTool(server, { integrationId: other });
    expect((await post('approve', { search })).status).toBe(409);
    await server.store.db.toolDefinition.updateMany({ data: { approvedAt: at(1) } });
    expect((await post('withdraw', { search })).body).toEqual({ changed: [] });
  });

  it('approves 5,000 tools at once', async () => {
    const { organizationId } = await server.store.db.integration.findUniqueOrThrow({
      where: { id: integrationId },
    });
    const names = Array.from({ length: 5000 }, (_, n) => `tool ${n}`);
    const fingerprint = fingerprintOf('any');
    const row = {
      integrationId,
      organizationId,
      fingerprint,
      schemaFingerprint: fingerprint,
      readOnly: false,
    };
    await server.store.db.toolDefinition.createMany({
      data: names.map((name) => ({ ...row, name })),
    });
    const all = Object.fromEntries(names.map((name) => [name, fingerprint]));
    expect((await post('approve', all)).body.changed).toHaveLength(5000);
  });

  it('of definitions that are being seen is all or nothing each time', async () => {
    for (const name of ['a', 'b']) await insert({ name, definition: '{"v":0}', lastSeenAt: at(0) });
    for (let round = 1; round <= 8; round += 1) {
      const [old, next] = [fingerprintOf(`{"v":${round - 1}}`), `{"v":${round}}`];
      const [{ status, body }] = await Promise.all([
        post('approve', { a: old, b: old }),
        insert({ name: 'b', definition: next, lastSeenAt: at(round) }),
      ]);
      expect([200, 409], JSON.stringify(body)).toContain(status);
      const rows = await server.store.db.toolDefinition.findMany({
        where: { integrationId, fingerprint: old, approvedAt: { not: null } },
      });
      expect(rows).toHaveLength(status === 200 ? 2 : 0);
      await insert({ name: 'a', definition: next, lastSeenAt: at(round) });
    }
  });
});
