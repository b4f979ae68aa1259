import { type IntegrationPolicy, integrationPolicySchema, policySchema } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { fromStored, ruleFormats, toStored } from '../../src/policy/stored-rules.ts';

const APPLICATION = '01936f6d-02a7-7f10-b1c4-6e9d8a7b5c32';
/** A later version gives `userIds` another meaning in format 2, and `tools.pinned` in format 3. */
const later = { ...ruleFormats, userIds: 2, tools: { allow: 1, deny: 1, readOnly: 1, pinned: 3 } };

const every: Required<IntegrationPolicy> = {
  roles: ['admin'],
  groups: [],
  userIds: [],
  tools: { allow: ['*'], deny: [], readOnly: true, pinned: 'schema' },
  prompts: { allow: [], deny: [] },
  resources: { allow: [], deny: [] },
  limits: { perMinute: 1, concurrent: 1 },
  perApplication: { [APPLICATION]: { userIds: [], tools: { pinned: 'definition' } } },
};

describe('the format of stored rules', () => {
  it('is left out of rules that versions without formats understand', () => {
    expect(toStored(every)).toEqual(every);
    expect(toStored({ roles: [], tools: { readOnly: true } }, later)).not.toHaveProperty('format');
    expect(toStored({}, later)).toEqual({});
  });

  it.each<[number, IntegrationPolicy]>([
    [2, { userIds: [] }],
    [3, { tools: { pinned: 'schema' } }],
    [3, { userIds: [], tools: { pinned: 'schema' } }],
  ])('is %i, the lowest that understands every member of %j', (format, policy) => {
    expect(toStored(policy, later)).toEqual({ ...policy, format });
  });

  it('is one for all levels, the highest that rules for an application need', () => {
    const own = { perApplication: { [APPLICATION]: { tools: { pinned: 'schema' } } } } as const;
    expect(toStored(own, later)).toEqual({ ...own, format: 3 });
    expect(toStored({ userIds: [], ...own }, later)).toEqual({ userIds: [], ...own, format: 3 });
  });

  it('does not change what a version reads that knows it', () => {
    expect(fromStored(integrationPolicySchema, toStored(every, later), later)).toEqual(every);
  });

  it('is 1 for rules that are stored without one, also to a later version', () => {
    expect(fromStored(policySchema, { userIds: [] }, later)).toEqual({ userIds: [] });
    expect(fromStored(policySchema, { format: 1, userIds: [] })).toEqual({ userIds: [] });
  });

  it('makes rules unreadable to a version that knows only lower ones', () => {
    expect(fromStored(policySchema, toStored({ userIds: [] }, later))).toBeUndefined();
    expect(fromStored(policySchema, { format: 4 }, later)).toBeUndefined();
  });

  it.each([0, -1, 1.5, '1', null, [1]])('makes rules unreadable if it is %j', (format) => {
    expect(fromStored(policySchema, { format }, later)).toBeUndefined();
  });
});
