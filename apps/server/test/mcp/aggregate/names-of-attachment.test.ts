import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedNameOf } from '../../../src/mcp/aggregate/exposed-name.ts';
import { namesOfAttachment } from '../../../src/mcp/aggregate/names-of-attachment.ts';
import { application, namesOf, namingOf } from './arbitrary.ts';

const attachment = {
  integrationId: '0198c0de-0000-7000-8000-000000000001',
  alias: '',
  aliases: new Set(['', 'git', 'git-2']),
  nameLength: 32,
};
const shortened = (name: string) => exposedNameOf({ ...attachment, name });

describe('the names of an attachment', () => {
  it('are exposed in the order of the list', () => {
    const { exposed, leftOut } = namesOfAttachment({ ...attachment, alias: 'git' }, ['b', 'a']);
    expect([...exposed]).toEqual([
      ['b', 'git__b'],
      ['a', 'git__a'],
    ]);
    expect(leftOut.size).toBe(0);
  });

  it.each([
    [['a', 'b', 'a'], { a: 'name_not_unique' }],
    [
      ['a b', shortened('a b'), 'a c'],
      { 'a b': 'name_not_unique', [shortened('a b')]: 'name_not_unique' },
    ],
    [
      ['git__a', 'git-2__a', 'git-3__a'],
      { git__a: 'alias_of_another', 'git-2__a': 'alias_of_another' },
    ],
    [['git: a', 'Git__a', 'git_a'], { 'git: a': 'alias_of_another' }],
    [['gatehouse__a', 'gatehouse_a', 'gatehouse- _a'], { gatehouse__a: 'reserved_name' }],
    [['__a', '', '_'], {}],
  ])('%j are left out where they meet or lead elsewhere', (names, expected) => {
    const { exposed, leftOut } = namesOfAttachment(attachment, names);
    expect(Object.fromEntries(leftOut)).toEqual(expected);
    expect(new Set([...exposed.keys(), ...leftOut.keys()])).toEqual(new Set(names));
  });

  it('with an alias may begin like any other', () => {
    const names = ['git__a', 'gatehouse__a', 'git-2__a'];
    const { exposed } = namesOfAttachment({ ...attachment, alias: 'git' }, names);
    expect([...exposed.values()]).toEqual(names.map((name) => `git__${name}`));
  });
});

describe('the names of an application', () => {
  it('are different, and each is exposed or left out', () => {
    const seen = { exposed: 0, name_not_unique: 0, alias_of_another: 0, reserved_name: 0 };
    fc.assert(
      fc.property(application, (tested) => {
        const all: string[] = [];
        for (const {
          attachment: { names: listed },
          names,
        } of namesOf(tested)) {
          all.push(...names.exposed.values());
          for (const name of listed) {
            expect(names.exposed.has(name)).toBe(!names.leftOut.has(name));
            seen[names.leftOut.get(name) ?? 'exposed'] += 1;
          }
        }
        expect(new Set(all).size).toBe(all.length);
        for (const name of all) expect(name.startsWith('gatehouse__')).toBe(false);
      }),
      { numRuns: 1_000, seed: 26 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });

  it('stay when others come, go or move', () => {
    let kept = 0;
    const others = fc.tuple(application, application, fc.nat(), fc.array(fc.boolean()));
    fc.assert(
      fc.property(others, ([tested, more, pick, removed]) => {
        const chosen = tested.attachments[pick % tested.attachments.length];
        if (chosen === undefined) return;
        const names = [...(more.attachments[0]?.names ?? []), ...chosen.names]
          .filter((_, index) => removed[index] !== true)
          .reverse();
        const changed = { ...more, nameLength: tested.nameLength };
        const before = namesOfAttachment(namingOf(tested, chosen), chosen.names).exposed;
        const after = namesOfAttachment(namingOf(changed, chosen), names).exposed;
        for (const [name, exposedName] of after) {
          if (!before.has(name)) continue;
          expect(exposedName).toBe(before.get(name));
          kept += 1;
        }
      }),
      { numRuns: 1_000, seed: 26 },
    );
    expect(kept).toBeGreaterThan(300);
  });
});
