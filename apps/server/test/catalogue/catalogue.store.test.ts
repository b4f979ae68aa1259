import { LRUCache } from 'lru-cache';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CachedCatalogue, type Catalogue } from '../../src/catalogue/cached-catalogue.ts';
import { type Catalogues, createCatalogues } from '../../src/catalogue/catalogues.ts';
import type { ToolSource } from '../../src/catalogue/known-tool.ts';
import { at, createWorld } from '../sessions/fixture.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let source: ToolSource;
let catalogues: Catalogues;

beforeAll(async () => {
  const { organizationId, integrationId } = at((await createWorld(store)).routes, 0);
  const { url } = await store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  source = { organizationId, integrationId, url };
});

beforeEach(() => {
  catalogues = createCatalogues(store, (error) => {
    throw error;
  });
});

afterEach(async () => {
  await catalogues.close();
  await store.db.toolDefinition.deleteMany();
});

const READ_ONLY = { annotations: { readOnlyHint: true } };

/** Sees a definition in a list. */
async function see(name: string, fields: object = {}, from = catalogues) {
  const entry = Buffer.from(JSON.stringify({ name, ...fields }));
  return (await from.get(source)).see(entry, name);
}

const rows = () =>
  store.db.toolDefinition.findMany({ orderBy: [{ name: 'asc' }, { lastSeenAt: 'asc' }] });

/** Approves the definition of a tool that was seen last. */
async function approve(name: string): Promise<void> {
  await catalogues.flush();
  const latest = (await rows()).findLast((row) => row.name === name);
  await store.transaction(async ({ db, announce }) => {
    await db.toolDefinition.updateMany({
      where: { name, fingerprint: latest?.fingerprint ?? '' },
      data: { approvedAt: new Date() },
    });
    announce({ kind: 'tools', id: source.integrationId });
  });
}

const pinsOf = async (name: string, from: Pick<Catalogue, 'factsOf'> | undefined = undefined) =>
  (from ?? (await catalogues.get(source))).factsOf(name)?.pins;

describe('a new tool for which there is no place', () => {
  it('is unknown in lists as in calls, and others are not', () => {
    const fingerprints = { fingerprint: 'f', schemaFingerprint: 's', readOnly: true };
    const tool = {
      latest: fingerprints,
      approved: new Set<string>(),
      approvedSchemas: new Set<string>(),
    };
    const tools = new Map(Array.from({ length: 5_000 }, (_, index) => [`t${index}`, tool]));
    const sightings = { latestOf: () => undefined, add: () => {} } as never;
    const full = new CachedCatalogue(source, tools, new LRUCache({ max: 10 }), sightings);
    const seen = (name: string) =>
      full.see(Buffer.from(JSON.stringify({ name, ...READ_ONLY })), name);
    for (let again = 0; again < 2; again += 1) expect(seen('new')).toBeUndefined();
    expect(full.factsOf('new')).toBeUndefined();
    expect(seen('t1')?.readOnly).toBe(true);
  });
});

describe('what was seen', () => {
  it('counts at once on this node, and is written once', async () => {
    expect((await catalogues.get(source)).factsOf('open')).toBeUndefined();
    await see('open', READ_ONLY);
    expect((await catalogues.get(source)).factsOf('open')).toEqual({
      readOnly: true,
      pins: { definition: 'new', schema: 'new' },
    });
    await catalogues.flush();
    const written = await rows();
    expect(written).toMatchObject([
      { name: 'open', readOnly: true, approvedAt: null, organizationId: source.organizationId },
    ]);
    await see('open', READ_ONLY);
    await catalogues.flush();
    expect(await rows()).toEqual(written);
  });

  it('is the latest of its tool, also if it was seen before', async () => {
    const latest = async () => (await catalogues.get(source)).factsOf('open')?.readOnly;
    for (const fields of [{}, READ_ONLY, {}, READ_ONLY]) {
      await see('open', fields);
      const isReadOnly = fields === READ_ONLY;
      expect(await latest()).toBe(isReadOnly);
      await catalogues.flush();
      expect(await latest()).toBe(isReadOnly);
    }
    expect(await rows()).toHaveLength(2);
  });

  it('keeps its order within one write', async () => {
    await see('open');
    await catalogues.flush();
    for (const fields of [READ_ONLY, { title: 'x' }, {}]) await see('open', fields);
    await catalogues.flush();
    const fresh = createCatalogues(store, () => {});
    expect((await fresh.get(source)).factsOf('open')?.readOnly).toBe(false);
    await fresh.close();
    // More than two in half a second are not written.
    expect((await rows()).map(({ definition }) => definition)).toEqual([
      '{"name":"open","title":"x"}',
      '{"name":"open"}',
    ]);
  });

  it('is not written of an integration with another URL by now', async () => {
    await (await catalogues.get({ ...source, url: 'https://elsewhere.example/mcp' })).see(
      Buffer.from('{"name":"open"}'),
      'open',
    );
    await catalogues.flush();
    expect(await rows()).toEqual([]);
  });

  it('survives a write that fails', async () => {
    const errors: unknown[] = [];
    let isDown = true;
    const failing = createCatalogues(
      {
        ...store,
        transaction: (run) => (isDown ? Promise.reject(new Error('down')) : store.transaction(run)),
      },
      (error) => errors.push(error),
    );
    await see('open', READ_ONLY, failing);
    await failing.flush();
    expect((await failing.get(source)).factsOf('open')).toBeDefined();
    isDown = false;
    await failing.flush();
    expect(errors).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    await failing.close();
  });
});

describe('the state of a pin', () => {
  it('is approved for an approved definition, changed for another, and new for another tool', async () => {
    await see('open', { title: 'A' });
    await approve('open');
    expect(await pinsOf('open')).toEqual({ definition: 'approved', schema: 'approved' });
    expect(await see('open', { title: 'B' })).toMatchObject({
      pins: { definition: 'changed', schema: 'approved' },
    });
    expect(await see('open', { inputSchema: {} })).toMatchObject({
      pins: { definition: 'changed', schema: 'changed' },
    });
    expect(await pinsOf('open')).toEqual({ definition: 'changed', schema: 'changed' });
    expect(await see('opened', { title: 'A' })).toMatchObject({
      pins: { definition: 'new', schema: 'new' },
    });
  });

  it('is approved for each of several approved definitions', async () => {
    for (const title of ['A', 'B']) {
      await see('open', { title });
      await approve('open');
    }
    for (const title of ['A', 'B']) {
      expect(await see('open', { title })).toMatchObject({ pins: { definition: 'approved' } });
      expect(await pinsOf('open')).toMatchObject({ definition: 'approved' });
    }
  });

  it('of a tool that cannot be catalogued stays unknown', async () => {
    expect(await see('x'.repeat(129))).toBeUndefined();
    await catalogues.flush();
    expect(await rows()).toEqual([]);
  });
});

describe('a catalogue', () => {
  it('keeps ten definitions of a tool: the latest, those approved, and the newest others', async () => {
    for (let version = 0; version < 14; version += 1) {
      await see('open', { title: String(version) });
      if (version < 2) await approve('open');
      await catalogues.flush();
    }
    const titles = (await rows()).map(({ definition }) => JSON.parse(definition ?? '').title);
    expect(titles).toEqual(['0', '1', '6', '7', '8', '9', '10', '11', '12', '13']);
  });

  it('keeps the latest definition even beside ten approved ones', async () => {
    for (let version = 0; version < 10; version += 1) {
      await see('open', { title: String(version) });
      await approve('open');
    }
    await see('open', { title: 'bad' });
    await catalogues.flush();
    expect(await rows()).toHaveLength(11);
    expect(await pinsOf('open')).toMatchObject({ definition: 'changed' });
  });

  it('has 5,000 names, read in parts, and no place for more', async () => {
    const catalogue = await catalogues.get(source);
    for (let i = 0; i < 5_001; i += 1) {
      const name = `tool_${String(i).padStart(4, '0')}`;
      catalogue.see(Buffer.from(JSON.stringify({ name })), name);
    }
    await catalogues.flush();
    expect(await store.db.toolDefinition.count()).toBe(5_000);
    const read = await catalogues.get(source);
    expect(read.factsOf('tool_4999')).toBeDefined();
    read.see(Buffer.from('{"name":"tool_5000"}'), 'tool_5000');
    await catalogues.flush();
    expect(await store.db.toolDefinition.count()).toBe(5_000);
    expect((await catalogues.get(source)).factsOf('tool_5000')).toBeUndefined();
  });
});

describe('an approval of a version before pages, icons and execution were part of fingerprints', () => {
  const BEFORE = { description: 'ö', annotations: { b: 1, a: [100] } };

  beforeEach(async () => {
    const { organizationId, integrationId } = source;
    // As that version wrote them: see `fingerprint.test.ts` for the text that they are taken of.
    const fingerprints = {
      fingerprint: 'a308fbbcf35153ab0cd10f696313b7ef1d5e0c5bb618b2030cfa95c1a30bd762',
      schemaFingerprint: '9233df2dd2522feb2d263b1eab41d4382a241c394100b919cba663c438c4b539',
    };
    await store.transaction(async ({ db, announce }) => {
      await db.toolDefinition.create({
        data: {
          ...{ organizationId, integrationId, ...fingerprints, name: 'a', readOnly: false },
          ...{ definition: null, approvedAt: new Date() },
        },
      });
      announce({ kind: 'tools', id: integrationId });
    });
  });

  it('holds for a tool without them', async () => {
    const facts = await see('a', { _meta: { version: 2 }, ...BEFORE, other: 1 });
    expect(facts?.pins).toEqual({ definition: 'approved', schema: 'approved' });
    await catalogues.flush();
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ['a page', { _meta: { ui: { resourceUri: 'ui://a' } } }],
    ['an output template', { _meta: { 'openai/outputTemplate': 'ui://a' } }],
    ['icons', { icons: [{ src: 'https://example.com/a.png' }] }],
    ['execution', { execution: { taskSupport: 'optional' } }],
  ])('does not hold for a tool with %s, which is approved again', async (_, fields) => {
    const facts = await see('a', { ...BEFORE, ...fields });
    expect(facts?.pins).toEqual({ definition: 'changed', schema: 'changed' });
    await approve('a');
    expect(await pinsOf('a')).toEqual({ definition: 'approved', schema: 'approved' });
  });
});
