import { describe, expect, it } from 'vitest';
import {
  decideMethod,
  decideTool,
  hasDefinitionRules,
  hasNameRules,
  type PolicyLevel,
  type ToolFacts,
  type ToolRules,
} from '../../../src/index.ts';

const levelsOf = (tools: ToolRules): PolicyLevel[] => [{ level: 'integration', rules: { tools } }];
const facts = (given: Partial<ToolFacts>): ToolFacts => ({
  readOnly: false,
  pins: { definition: 'approved', schema: 'approved' },
  ...given,
});
const codesOf = (tools: ToolRules, of?: ToolFacts) =>
  decideTool(levelsOf(tools), 'open', of).map(({ code }) => code);

describe('the decision about a tool by its definition', () => {
  it('allows with readOnly what says that it only reads, and nothing unknown', () => {
    expect(codesOf({ readOnly: true }, facts({ readOnly: true }))).toEqual([]);
    expect(codesOf({ readOnly: true }, facts({}))).toEqual(['tool_not_read_only']);
    expect(codesOf({ readOnly: true })).toEqual(['tool_not_read_only']);
    expect(codesOf({ readOnly: false })).toEqual([]);
  });

  it.each(['definition', 'schema'] as const)('judges a pin of the %s by its state alone', (pin) => {
    const other = pin === 'schema' ? 'definition' : 'schema';
    const inState = (state: 'new' | 'changed' | 'approved') => {
      const pins = { [pin]: state, [other]: 'approved' } as ToolFacts['pins'];
      return codesOf({ pinned: pin }, facts({ pins }));
    };
    expect(inState('approved')).toEqual([]);
    expect(inState('changed')).toEqual(['tool_changed']);
    expect(inState('new')).toEqual(['tool_new']);
    expect(codesOf({ pinned: pin })).toEqual(['tool_new']);
  });

  it('gives one reason for each level, the name first', () => {
    expect(codesOf({ deny: ['open'], readOnly: true, pinned: 'schema' })).toEqual(['tool_denied']);
    const levels = [
      ...levelsOf({ readOnly: true, pinned: 'schema' }),
      { level: 'attachment', rules: { tools: { pinned: 'definition' } } },
    ] as PolicyLevel[];
    expect(decideTool(levels, 'open')).toEqual([
      { code: 'tool_not_read_only', level: 'integration' },
      { code: 'tool_new', level: 'attachment' },
    ]);
  });

  it('counts as rules about names, so that the body decides', () => {
    for (const tools of [{ readOnly: true }, { pinned: 'schema' }] satisfies ToolRules[]) {
      expect(hasNameRules({ tools })).toBe(true);
      expect(hasDefinitionRules({ tools })).toBe(true);
    }
    expect(hasNameRules({ tools: { readOnly: false } })).toBe(false);
    expect(hasDefinitionRules({ tools: { allow: [] } })).toBe(false);
  });

  it('refuses with readOnly every method that may change something unseen', () => {
    const codesOfMethod = (method: string) =>
      decideMethod(levelsOf({ readOnly: true }), { method, authMode: 'oauth' }).map(
        ({ code }) => code,
      );
    expect(codesOfMethod('tools/run')).toEqual(['method_unknown']);
    expect(codesOfMethod('vendor/delete')).toEqual(['method_unknown']);
    expect(codesOfMethod('tasks/create')).toEqual(['method_unknown']);
    const harmless = ['ping', 'initialize', 'server/discover', 'logging/setLevel'];
    for (const method of [...harmless, 'notifications/cancelled', 'prompts/list']) {
      expect(codesOfMethod(method)).toEqual([]);
    }
  });
});
