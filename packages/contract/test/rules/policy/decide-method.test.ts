import { describe, expect, it } from 'vitest';
import { decideMethod, type PolicyLevel, type PolicyRequest } from '../../../src/index.ts';

const nothing = { allow: [] };
const strict: PolicyLevel[] = [
  { level: 'integration', rules: { tools: nothing, prompts: nothing, resources: nothing } },
];
const only = (kind: 'tools' | 'prompts' | 'resources'): PolicyLevel[] => [
  { level: 'attachment', rules: { [kind]: { allow: ['open*'] } } },
];
const codesOf = (levels: PolicyLevel[], request: Omit<PolicyRequest, 'authMode'>) =>
  decideMethod(levels, { authMode: 'oauth', ...request }).map(({ code }) => code);

describe('the decision about a method', () => {
  it.each([
    ['tools/call', 'tools', { name: 'open_it' }, { name: 'close_it' }, 'tool_not_allowed'],
    ['prompts/get', 'prompts', { name: 'open_it' }, { name: 'close_it' }, 'prompt_not_allowed'],
    ['resources/read', 'resources', { uri: 'open:a' }, { uri: 'a:b' }, 'resource_not_allowed'],
    ['resources/subscribe', 'resources', { uri: 'open:a' }, { uri: 'a:b' }, 'resource_not_allowed'],
    [
      'subscriptions/listen',
      'resources',
      { resourceSubscriptions: ['open:a', 'open:b'] },
      { resourceSubscriptions: ['open:a', 'a:b'] },
      'resource_not_allowed',
    ],
    [
      'completion/complete',
      'prompts',
      { ref: { type: 'ref/prompt', name: 'open_it' } },
      { ref: { type: 'ref/prompt', name: 'close_it' } },
      'prompt_not_allowed',
    ],
    [
      'completion/complete',
      'resources',
      { ref: { type: 'ref/resource', uri: '{scheme}:a' } },
      { ref: { type: 'ref/resource', uri: 'close:{a}' } },
      'resource_not_allowed',
    ],
  ] as const)('judges %s by the rules about %s', (method, kind, allowed, refused, code) => {
    expect(codesOf(only(kind), { method, ...allowed })).toEqual([]);
    expect(codesOf(only(kind), { method, ...refused })).toEqual([code]);
    const other = kind === 'tools' ? 'prompts' : 'tools';
    expect(codesOf(only(other), { method, ...refused })).toEqual([]);
  });

  it.each(['tools/call', 'prompts/get', 'resources/read', 'resources/subscribe'])(
    'refuses %s without a name or URI',
    (method) => {
      expect(codesOf(strict, { method })).toHaveLength(1);
    },
  );

  it.each([
    'initialize',
    'ping',
    'server/discover',
    'logging/setLevel',
    'notifications/resources/updated',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'resources/unsubscribe',
    'subscriptions/listen',
    'vendor/other',
  ])('lets %s pass, whatever the rules', (method) => {
    expect(codesOf(strict, { method })).toEqual([]);
  });

  it.each(['tools/run', 'prompts/render', 'resources/write', 'resources/templates/read', 'tools/'])(
    'refuses %s, an unknown method of a kind that has rules',
    (method) => {
      expect(codesOf(strict, { method })).toEqual(['method_unknown']);
      expect(codesOf([], { method })).toEqual([]);
    },
  );

  it('lets an unknown method of another kind pass', () => {
    expect(codesOf(only('prompts'), { method: 'tools/run' })).toEqual([]);
    expect(codesOf(strict, { method: 'toolsets/run' })).toEqual([]);
  });

  it.each([undefined, { type: 'ref/tool', name: 'open_it' }, {}])(
    'refuses a completion for %j where prompts or resources have rules',
    (ref) => {
      const request = { method: 'completion/complete', ref };
      expect(codesOf(only('prompts'), request)).toEqual(['method_unknown']);
      expect(codesOf(only('resources'), request)).toEqual(['method_unknown']);
      expect(codesOf(only('tools'), request)).toEqual([]);
    },
  );

  it('refuses a list of tasks where the upstream takes everyone for one caller', () => {
    const decide = (levels: PolicyLevel[], authMode: string) =>
      decideMethod(levels, { method: 'tasks/list', authMode });
    for (const authMode of ['server_token', 'none']) {
      expect(decide(only('prompts'), authMode)).toEqual([
        { code: 'task_list_shared', level: 'attachment' },
      ]);
      expect(decide([{ level: 'attachment', rules: { userIds: ['ada'] } }], authMode)).toEqual([]);
    }
    for (const authMode of ['oauth', 'user_token']) {
      expect(decide(only('prompts'), authMode)).toEqual([]);
    }
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel', 'tasks/list'])(
    'refuses %s where rules may refuse a tool: nobody knows of which tool a task is',
    (method) => {
      const codesWith = (tools: object) =>
        codesOf([{ level: 'application', rules: { tools } }], { method });
      const limits = [{ allow: ['open*'] }, { deny: ['close_it'] }, { allow: ['*'], deny: ['x'] }];
      for (const tools of [...limits, { allow: ['*'], pinned: 'schema' }, { readOnly: true }]) {
        expect(codesWith(tools)).toEqual(['task_tool_unknown']);
      }
      for (const tools of [{}, { deny: [] }, { allow: ['open*', '*'] }]) {
        expect(codesWith(tools)).toEqual([]);
      }
      expect(codesOf(only('prompts'), { method })).toEqual([]);
    },
  );

  it('refuses an allowed tool as a task where nobody could ask for its result', () => {
    const call = { method: 'tools/call', name: 'open_it' };
    expect(codesOf(only('tools'), { ...call, hasTask: true })).toEqual(['task_tool_unknown']);
    expect(codesOf(only('tools'), { ...call, hasTask: false })).toEqual([]);
    expect(codesOf(only('prompts'), { ...call, hasTask: true })).toEqual([]);
    expect(codesOf(only('tools'), { ...call, name: 'x', hasTask: true })).toEqual([
      'tool_not_allowed',
    ]);
  });

  it('refuses more subscriptions than can be compared in time', () => {
    const listen = (resourceSubscriptions: string[]) =>
      codesOf(only('resources'), { method: 'subscriptions/listen', resourceSubscriptions });
    expect(listen(Array(1000).fill('open:a'))).toEqual([]);
    expect(listen(Array(1001).fill('open:a'))).toEqual(['resource_not_allowed']);
    expect(listen(Array(17).fill(`open:${'a'.repeat(2000)}`))).toEqual(['resource_not_allowed']);
  });
});
