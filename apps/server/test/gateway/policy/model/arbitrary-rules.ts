import fc from 'fast-check';
import type { Names, ToolNames } from './oracle/rules.ts';

/** Rules with people and groups by their places: they are drawn before there are ids. */
export interface DrawnRules {
  readonly roles?: readonly string[];
  readonly groups?: readonly number[];
  readonly userIds?: readonly number[];
  readonly tools?: ToolNames;
  readonly prompts?: Names;
  readonly resources?: Names;
}

/** Undefined in half of all cases. */
export function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 2 });
}

/** Each field is there in half of all cases. */
const OPTIONAL = { requiredKeys: [] };

const names = (patterns: string[]): fc.Arbitrary<Names> =>
  fc.record(
    {
      allow: fc.oneof(
        { weight: 4, arbitrary: fc.subarray(patterns, { minLength: 3 }) },
        { weight: 1, arbitrary: fc.subarray(patterns, { maxLength: 1 }) },
      ),
      deny: fc.subarray(patterns, { maxLength: 2 }),
    },
    OPTIONAL,
  );

const byDefinition = fc.record(
  {
    readOnly: fc.boolean(),
    pinned: fc.constantFrom<'definition' | 'schema'>('definition', 'schema'),
  },
  OPTIONAL,
);

const tools: fc.Arbitrary<ToolNames> = fc
  .tuple(names(['*', 'read*', '*a*', 'write', 'a*b', 'ab', 'b*', 'é']), byDefinition)
  .map(([byName, definition]) => ({ ...byName, ...definition }));

const prompts = names(['*', 'read*', '*a*', 'write', 'ab']);
const resources = names([
  '*',
  'docs://*',
  '*secret*',
  'mail:*',
  'docs://a',
  '*://*/b',
  'docs://a*b',
]);

export const PEOPLE = 4;
export const GROUPS = 2;
export const roles = fc.constantFrom<'owner' | 'admin' | 'member'>('owner', 'admin', 'member');
const person = fc.nat(PEOPLE - 1);
export const group = fc.nat(GROUPS - 1);

const people = fc.record(
  {
    roles: fc.uniqueArray(roles, { maxLength: 3, size: 'max' }),
    groups: fc.uniqueArray(group, { maxLength: 2 }),
    userIds: fc.uniqueArray(person, { maxLength: 4, size: 'max' }),
  },
  OPTIONAL,
);

/** Most rules are not about people, so that most calls are judged by names. */
export const drawnRules: fc.Arbitrary<DrawnRules> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: people }),
    fc.record({ tools, prompts, resources }, OPTIONAL),
  )
  .map(([who, what]) => ({ ...who, ...what }));
