import { decideName } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolStepOf } from '../src/views/policy/tool-step.ts';

const names = fc.constantFrom<string>('read', 'write', 'delete_page', 'delete_user');
const patterns = fc.array(fc.oneof(names, fc.constantFrom<string>('*', 'delete_*', 're*')), {
  maxLength: 3,
});
const rules = fc.record({ allow: fc.option(patterns, { nil: undefined }), deny: patterns });

const isAllowed = (
  of: { allow?: string[] | undefined; deny?: string[] | undefined },
  name: string,
) => decideName([{ level: 'integration', rules: { tools: of } }], 'tools', name).length === 0;

describe('a click on a tool in the list', () => {
  it('denies what is allowed, and allows what is refused, after it removed each wider pattern', () => {
    fc.assert(
      fc.property(rules, names, (before, name) => {
        let now = before;
        for (let step = toolStepOf(now, name); step?.label.startsWith('Remove'); ) {
          const fewer = { allow: step.rules.allow, deny: step.rules.deny ?? [] };
          expect(fewer.deny.length).toBeLessThan(now.deny.length);
          now = fewer;
          step = toolStepOf(now, name);
        }
        const last = toolStepOf(now, name);
        expect(last?.label).toBe(isAllowed(now, name) ? 'Deny' : 'Allow');
        expect(last && isAllowed(last.rules, name)).toBe(!isAllowed(now, name));
      }),
    );
  });

  it('changes no other tool when it denies or allows one', () => {
    fc.assert(
      fc.property(rules, names, names, (before, name, other) => {
        const step = toolStepOf(before, name);
        fc.pre(step !== undefined && !step.label.startsWith('Remove') && other !== name);
        expect(step && isAllowed(step.rules, other)).toBe(isAllowed(before, other));
      }),
    );
  });

  it('is not offered for a name that has a star, which would be a pattern', () => {
    expect(toolStepOf({}, 'delete_*')).toBeUndefined();
  });

  it('keeps the rules about definitions', () => {
    const { rules: after } = toolStepOf({ readOnly: true, pinned: 'schema' }, 'read') ?? {};
    expect(after).toEqual({ readOnly: true, pinned: 'schema', deny: ['read'] });
  });
});
