import { describe, expect, it } from 'vitest';
import {
  decideName,
  decideTemplate,
  matches,
  type NameRules,
  type PolicyLevel,
} from '../../../src/index.ts';

const levelsOf = (kind: 'tools' | 'prompts' | 'resources', rules: NameRules): PolicyLevel[] => [
  { level: 'attachment', rules: { [kind]: rules } },
];

describe('a pattern', () => {
  it.each([
    ['issue_read', 'issue_read', true],
    ['issue_read', 'Issue_read', false],
    ['issue_read', 'issue_read ', false],
    ['*', '', true],
    ['**', 'a', true],
    ['issue_*', 'issue_', true],
    ['issue_*', 'an issue_read', false],
    ['*_read', 'issue_read', true],
    ['a*a', 'a', false],
    ['a*b*a', 'aba', true],
    ['a*b*b*a', 'aba', false],
    ['*ab*ab*', 'xababx', true],
    ['*ab*ab*', 'xabx', false],
    ['issue.read', 'issue_read', false],
    ['[a-z]?', 'b', false],
    ['*\n*', 'a\nb', true],
  ])('%j matches %j: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });
});

describe('rules about names', () => {
  it('restrict nothing where they are absent, or about another kind', () => {
    expect(decideName([], 'tools', 'write')).toEqual([]);
    expect(decideName(levelsOf('tools', {}), 'tools', 'write')).toEqual([]);
    expect(decideName(levelsOf('tools', { deny: [] }), 'tools', 'write')).toEqual([]);
    expect(decideName(levelsOf('prompts', { allow: [] }), 'tools', 'write')).toEqual([]);
  });

  it('allow what a pattern allows and no pattern denies', () => {
    const levels = levelsOf('tools', { allow: ['issue_*'], deny: ['*_delete', 'issue_close'] });
    expect(decideName(levels, 'tools', 'issue_read')).toEqual([]);
    const reasons = ['issue_delete', 'issue_close', 'pull_read'].map(
      (name) => decideName(levels, 'tools', name)[0]?.code,
    );
    expect(reasons).toEqual(['tool_denied', 'tool_denied', 'tool_not_allowed']);
  });

  it('allow nothing where the list is empty', () => {
    const levels = levelsOf('prompts', { allow: [] });
    expect(decideName(levels, 'prompts', 'greet')).toEqual([
      { code: 'prompt_not_allowed', level: 'attachment' },
    ]);
  });

  it('must allow at every level, and each level gives one reason', () => {
    const levels: PolicyLevel[] = [
      { level: 'integration', rules: { tools: { allow: ['read'] } } },
      { level: 'application', rules: { prompts: { allow: [] } } },
      { level: 'attachment', rules: { tools: { allow: [], deny: ['*'] } } },
    ];
    expect(decideName(levels, 'tools', 'write')).toEqual([
      { code: 'tool_not_allowed', level: 'integration' },
      { code: 'tool_denied', level: 'attachment' },
    ]);
    expect(decideName(levels, 'tools', 'read')).toHaveLength(1);
  });

  it('refuse a missing name, and one that is longer than any pattern', () => {
    for (const rules of [{ allow: ['*'] }, { deny: ['write'] }]) {
      expect(decideName(levelsOf('tools', rules), 'tools', undefined)).toHaveLength(1);
      expect(decideName(levelsOf('tools', rules), 'tools', 'a'.repeat(2048))).toEqual([]);
      expect(decideName(levelsOf('tools', rules), 'tools', 'a'.repeat(2049))).toHaveLength(1);
    }
  });
});

describe('rules about resources', () => {
  const levels = levelsOf('resources', { deny: ['file:///secret/*'] });

  it.each([
    'file:///docs/../secret/key',
    'file:///docs/..',
    'file:///./secret/key',
    'file:///docs/%2e%2E/secret/key',
    'file:///docs/.%2e%2fsecret/key',
    'file:///docs/%252e./secret/key',
    'file:///docs/..;/secret/key',
    'file:///docs/..?a',
    'docs:../secret',
    '../secret',
    'file:///docs\\secret',
    'file:///docs/%5csecret',
    'file:///docs/.\t./secret/key',
    ' file:///secret/key',
  ])('refuse %j, which an upstream may read as another URI', (uri) => {
    expect(decideName(levels, 'resources', uri)[0]?.code).toBe('resource_not_allowed');
    expect(decideName([], 'resources', uri)).toEqual([]);
  });

  it.each([
    'file:///docs/a..b',
    'file:///docs/...',
    'file:///.hidden/..a',
    'urn:a:b..',
    'https://h/?q=a/b',
    'note://a b',
    'file:///100%25',
  ])('have nothing against %j', (uri) => {
    expect(decideName(levels, 'resources', uri)).toEqual([]);
  });

  it('cut a template only if deny covers every expansion, or no pattern allows any', () => {
    const templates = (rules: NameRules, ...uris: string[]) =>
      uris.map((uri) => decideTemplate(levelsOf('resources', rules), uri)[0]?.code);
    expect(
      templates(
        { deny: ['file:///secret/*', 'db://a/b'] },
        'file:///secret/{name}',
        'file:///secret/a',
        'file:///{+path}',
        'db://{table}/b',
        'file:///docs/{name}/../x',
      ),
    ).toEqual(['resource_denied', 'resource_denied', undefined, undefined, 'resource_not_allowed']);
    expect(
      templates(
        { allow: ['file:///docs/*.md', 'db://a/b'] },
        'file:///{folder}/{name}.md',
        'file:///docs/x/{name}',
        'file:///{name}.txt',
        'db://{table}/b',
        'db://{table}/c',
        'db://a/b',
      ),
    ).toEqual([
      undefined,
      undefined,
      'resource_not_allowed',
      undefined,
      'resource_not_allowed',
      undefined,
    ]);
  });
});
