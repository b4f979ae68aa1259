import { describe, expect, it } from 'vitest';
import {
  decidePeople,
  type PolicyCaller,
  type PolicyLevel,
  type PolicyReason,
  type PolicyRules,
  policyLevelNames,
  policyMessage,
  policyReasonCodes,
} from '../../../src/index.ts';

const levelOf = (rules: PolicyRules): PolicyLevel[] => [{ level: 'attachment', rules }];
const ada: PolicyCaller = { kind: 'person', userId: 'ada', role: 'admin', groupIds: ['staff'] };
const codeOf = (rules: PolicyRules, caller: PolicyCaller = ada) =>
  decidePeople(levelOf(rules), caller)[0]?.code;

describe('rules about people', () => {
  it('are one list: one match is enough', () => {
    expect(codeOf({ roles: ['admin'], groups: [], userIds: [] })).toBeUndefined();
    expect(codeOf({ roles: ['owner'], groups: ['other', 'staff'] })).toBeUndefined();
    expect(codeOf({ roles: ['owner'], userIds: ['ada'] })).toBeUndefined();
    expect(codeOf({ tools: { allow: [] } })).toBeUndefined();
  });

  it('allow nobody where all lists that are there are empty', () => {
    expect(codeOf({ userIds: [] })).toBe('person');
    expect(codeOf({ groups: [] })).toBe('role_or_group');
    expect(codeOf({ roles: [], groups: [], userIds: [] })).toBe('role_or_group');
  });

  it('do not take a role for another one', () => {
    expect(codeOf({ roles: ['member'] })).toBe('role_or_group');
    expect(codeOf({ roles: ['owner'] })).toBe('role_or_group');
  });

  it('say "person" only where user ids stand alone', () => {
    expect(codeOf({ userIds: ['bob'] })).toBe('person');
    expect(codeOf({ userIds: ['bob'], groups: ['other'] })).toBe('role_or_group');
  });

  it('refuse an application that calls for itself', () => {
    const application = { kind: 'application' } as const;
    for (const rules of [{ roles: ['admin'] }, { groups: ['staff'] }, { userIds: ['ada'] }]) {
      expect(codeOf(rules, application)).toBe('client_credentials');
    }
    expect(codeOf({ tools: { allow: [] } }, application)).toBeUndefined();
  });

  it('must allow at every level', () => {
    const levels = policyLevelNames.map((level) => ({ level, rules: { userIds: ['bob'] } }));
    expect(decidePeople(levels, ada).map(({ level }) => level)).toEqual(policyLevelNames);
  });
});

describe('the message of a reason', () => {
  it('says who can change it, in two sentences', () => {
    for (const code of policyReasonCodes) {
      for (const level of policyLevelNames) {
        const message = policyMessage([{ code, level } satisfies PolicyReason]);
        expect(message).toMatch(/^[A-Z][^.]+\. (An|The owner of the application or an) admin can/);
      }
    }
  });
});
