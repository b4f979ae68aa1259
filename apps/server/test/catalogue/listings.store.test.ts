import { limits } from '@gatehouse/contract';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ToolSource } from '../../src/catalogue/known-tool.ts';
import { writeListings } from '../../src/catalogue/write-listings.ts';
import type { Lists } from '../../src/mcp/client/lists.ts';
import { at, createWorld } from '../sessions/fixture.ts';
import { useStore } from '../support/store.ts';

const store = useStore();
let source: ToolSource;

beforeAll(async () => {
  const { organizationId, integrationId } = at((await createWorld(store)).routes, 0);
  const { url } = await store.db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  source = { organizationId, integrationId, url };
});

afterEach(() => store.db.listedEntry.deleteMany());

const write = (lists: Lists, from = source) => writeListings(store, from, lists);
const rows = () => store.db.listedEntry.findMany({ orderBy: [{ kind: 'asc' }, { key: 'asc' }] });
const keys = async () => (await rows()).map(({ kind, key }) => `${kind} ${key}`);

describe('what a validation lists beside tools', () => {
  it('is kept by kind, without icons, `_meta` and unknown fields', async () => {
    const extra = { icons: [{ src: 'data:,' }], _meta: { a: 1 }, other: true };
    await write({
      prompt: [{ name: 'triage', description: 'Sorts.', arguments: [{ name: 'p' }], ...extra }],
      resource: [{ uri: 'a://1', name: 'One', mimeType: 'text/plain', size: 3, ...extra }],
      resource_template: [{ uriTemplate: 'a://{id}', name: 'Any', ...extra }],
    });
    const stored = await rows();
    expect(stored.map(({ kind, key }) => [kind, key])).toEqual([
      ['prompt', 'triage'],
      ['resource', 'a://1'],
      ['resource_template', 'a://{id}'],
    ]);
    expect(stored.map(({ definition }) => JSON.parse(definition ?? ''))).toEqual([
      { name: 'triage', description: 'Sorts.', arguments: [{ name: 'p' }] },
      { uri: 'a://1', name: 'One', mimeType: 'text/plain', size: 3 },
      { uriTemplate: 'a://{id}', name: 'Any' },
    ]);
  });

  it('takes the place of what was listed before, and a kind that is absent stays', async () => {
    await write({ prompt: [{ name: 'a' }, { name: 'b' }], resource: [{ uri: 'a://1' }] });
    await write({ prompt: [{ name: 'b' }, { name: 'c' }] });
    expect(await keys()).toEqual(['prompt b', 'prompt c', 'resource a://1']);
    await write({ prompt: [], resource: [] });
    expect(await keys()).toEqual([]);
  });

  it('takes nothing away where a page did not come, as long as there is room', async () => {
    await write({ prompt: [{ name: 'a' }, { name: 'b' }] });
    // Two writes may fall in the same millisecond.
    await store.db.listedEntry.updateMany({ data: { listedAt: new Date(0) } });
    await write({ prompt: [{ name: 'c' }], partial: ['prompt'] });
    expect(await keys()).toEqual(['prompt a', 'prompt b', 'prompt c']);
    const many = Array.from({ length: 999 }, (_, n) => ({ name: `p${n}` }));
    await write({ prompt: many, partial: ['prompt'] });
    const left = (await keys()).filter((key) => /^prompt [abc]$/.test(key));
    expect([await store.db.listedEntry.count(), left]).toEqual([1_000, ['prompt c']]);
  });

  it('says since when it is listed like this', async () => {
    await write({ prompt: [{ name: 'a' }, { name: 'b' }] });
    await store.db.listedEntry.updateMany({ data: { listedAt: new Date(0) } });
    await write({ prompt: [{ name: 'a' }, { name: 'b', title: 'New' }] });
    const [a, b] = await rows();
    expect(a?.listedAt).toEqual(new Date(0));
    expect(b?.listedAt.getTime()).toBeGreaterThan(0);
  });

  it('is bounded, and what cannot be stored or shown is left out', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    await write({
      prompt: Array.from({ length: 1_100 }, (_, n) => ({ name: `p${n}` })),
      resource: [
        { uri: 'a://1', name: 'first' },
        { uri: 'a://1', name: 'second' },
        { uri: `a://${'x'.repeat(2_048)}` },
        { uri: 'a://\0' },
        { uri: 'a://\ud800' },
        { uri: 7 },
        { uri: `b://${'€'.repeat(600)}` },
        { uri: 'c://long', description: 'x'.repeat(limits.listedDefinitionBytes) },
        { uri: 'd://deep', annotations: deep },
        { uri: 'e://nul', description: 'a\0b' },
      ],
    });
    const stored = await rows();
    expect(stored.filter(({ kind }) => kind === 'prompt')).toHaveLength(1_000);
    const resources = stored.filter(({ kind }) => kind === 'resource');
    expect(resources.map(({ key, definition }) => [key.slice(0, 8), definition === null])).toEqual([
      ['a://1', false],
      ['b://€€€€', false],
      ['c://long', true],
      ['d://deep', true],
      ['e://nul', false],
    ]);
    expect(resources[0]?.definition).toContain('first');
  });

  it('is not written, and takes nothing away, at another URL or in another organization', async () => {
    await write({ prompt: [{ name: 'a' }] });
    await write({ prompt: [{ name: 'b' }] }, { ...source, url: 'https://other.example' });
    const organizationId = crypto.randomUUID();
    await write({ prompt: [{ name: 'b' }] }, { ...source, organizationId });
    expect(await keys()).toEqual(['prompt a']);
  });

  it('is not written of an archived integration', async () => {
    const where = { id: source.integrationId };
    await store.db.integration.update({ where, data: { archivedAt: new Date() } });
    await write({ prompt: [{ name: 'a' }] });
    await store.db.integration.update({ where, data: { archivedAt: null } });
    expect(await keys()).toEqual([]);
  });
});
