import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedNameOf } from '../../../src/mcp/aggregate/exposed-name.ts';
import { namesOfAttachment } from '../../../src/mcp/aggregate/names-of-attachment.ts';
import { soughtName, targetOf } from '../../../src/mcp/aggregate/target-of.ts';
import { application, namesOf } from './arbitrary.ts';

const attachments = new Map([
  ['git', 'G'],
  ['', 'E'],
]);

describe('an exposed name', () => {
  it.each([
    ['git__a', 'G', 'a'],
    ['git__', 'G', ''],
    ['git___a', 'G', '_a'],
    ['git__git__a', 'G', 'git__a'],
    ['git_a', 'E', 'git_a'],
    ['svn__a', 'E', 'svn__a'],
    ['Git__a', 'E', 'Git__a'],
    ['__a', 'E', '__a'],
    ['', 'E', ''],
    ['git__abcdefgh', 'G', 'abcdefgh'],
  ])('%j leads to attachment %s and its name %j', (exposedName, attachment, name) => {
    expect(targetOf(attachments, exposedName)).toEqual({ attachment, name, isSought: false });
  });

  it.each([
    ['git__list_projects', 'G', 'list_projects'],
    ['list_projects', 'E', 'list_projects'],
    ['git__a_abcdefg7', 'G', 'a_abcdefg7'],
  ])('%j leads to attachment %s, where the name is sought', (exposedName, attachment, name) => {
    expect(targetOf(attachments, exposedName)).toEqual({ attachment, name, isSought: true });
  });

  it.each(['svn__a', 'a', ''])('%j leads nowhere if no attachment is without an alias', (name) => {
    expect(targetOf(new Map([['git', 'G']]), name)).toBeUndefined();
  });

  it('that only our own tools may have leads nowhere', () => {
    expect(targetOf(attachments, 'gatehouse__a')).toBeUndefined();
    expect(targetOf(attachments, 'gatehouse_a')).toBeDefined();
  });

  it('that an integration lists leads back to it', () => {
    const seen = { sought: 0, known: 0 };
    fc.assert(
      fc.property(application, (tested) => {
        const named = namesOf(tested);
        const byAlias = new Map(named.map((each) => [each.attachment.alias, each]));
        for (const { attachment, names } of named) {
          for (const [name, exposedName] of names.exposed) {
            const target = targetOf(byAlias, exposedName);
            expect(target?.attachment.attachment).toBe(attachment);
            const { name: rest, isSought } = target ?? { name: '', isSought: false };
            expect(isSought ? soughtName(names, exposedName, rest) : rest).toBe(name);
            seen[isSought ? 'sought' : 'known'] += 1;
          }
        }
      }),
      { numRuns: 1_000, seed: 26 },
    );
    expect(Math.min(seen.sought, seen.known)).toBeGreaterThan(300);
  });
});

describe('a name that is sought', () => {
  const attachment = {
    integrationId: '0198c0de-0000-7000-8000-000000000001',
    alias: 'git',
    aliases: new Set(['git']),
    nameLength: 64,
  };
  const exposedName = exposedNameOf({ ...attachment, name: 'a b' });
  const rest = exposedName.slice('git__'.length);
  const sought = (names: readonly string[]) =>
    soughtName(namesOfAttachment(attachment, names), exposedName, rest);

  it('is the one that was shortened', () => {
    expect(sought(['a', 'a b'])).toBe('a b');
  });

  it('is itself if the integration lists it or nothing like it', () => {
    expect(sought(['a', rest])).toBe(rest);
    expect(sought(['a'])).toBe(rest);
  });

  it('is no name if it may be either of two', () => {
    expect(sought(['a b', rest])).toBeUndefined();
  });

  it('is the one that the integration lists twice', () => {
    expect(sought(['a b', 'a b'])).toBe('a b');
  });
});
