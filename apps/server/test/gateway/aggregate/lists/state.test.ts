import { beforeAll, expect, it } from 'vitest';
import type { ListKey } from '../../../../src/mcp/methods.ts';
import { fails, lists, TestApplication, type TestIntegration, toolOf } from './application.ts';

const application = new TestApplication();
const [first, second, third] = ['first', 'second', 'third'].map((alias) =>
  application.attach(alias),
) as [TestIntegration, TestIntegration, TestIntegration];

const resource = (uri: string) => ({ uri, name: uri });
const list = (key: ListKey, person?: string) =>
  application.list(application.client('modern', person), key);
/** Its lists are asked for again each time. */
const always = (integration: TestIntegration, key: ListKey, ...entries: readonly object[]) =>
  integration.on(key, () => ({ [key]: entries, ttlMs: 0 }));

const NONE = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 };

beforeAll(() => {
  always(first, 'tools', ...['a', 'b', 'c', 'c'].map(toolOf));
  always(first, 'resources', resource('x:1'));
  second.on('tools', lists('tools', toolOf('a')));
  second.on('resources', lists('resources', resource('x:1'), resource('x:2')));
  third.onAll(fails);
});

it('the state of an application tells what was listed last for the person, and asks no integration for it', async () => {
  const unread = await application.state();
  expect(unread.integrations.map(({ state }) => state)).toEqual(['unread', 'unread', 'unread']);
  expect(first.asked).toHaveLength(0);
  await list('tools');
  await list('resources');
  const asked = first.asked.length;
  expect(await application.state()).toEqual({
    integrations: [
      {
        ...{ id: first.integrationId, alias: 'first', state: 'ok' },
        counts: { ...NONE, tools: 2, resources: 1 },
      },
      {
        ...{ id: second.integrationId, alias: 'second', state: 'ok' },
        counts: { ...NONE, tools: 1, resources: 1 },
      },
      { id: third.integrationId, alias: 'third', state: 'failed', counts: NONE },
    ],
    leftOut: [
      {
        ...{ integrationId: first.integrationId, kind: 'tool', name: 'c' },
        reason: 'name_not_unique',
      },
      {
        ...{ integrationId: first.integrationId, kind: 'tool', name: 'c' },
        reason: 'name_not_unique',
      },
      {
        ...{ integrationId: second.integrationId, kind: 'resource', name: 'x:1' },
        reason: 'offered_by_another',
      },
    ],
  });
  expect(first.asked).toHaveLength(asked);
});

it('the state of an application keeps what people see apart', async () => {
  const { integrations } = await application.state('another');
  expect(integrations.map(({ state }) => state)).toEqual(['unread', 'unread', 'unread']);
  await list('prompts', 'another');
  const [listed] = (await application.state('another')).integrations;
  expect(listed).toMatchObject({ state: 'ok', counts: { tools: 0 } });
  expect((await application.state()).integrations[0]?.counts.tools).toBe(2);
});

it('the state of an integration is that of the worst of its lists, and says what is served from before', async () => {
  always(first, 'tools', toolOf('a'));
  await list('tools');
  first.on('tools', fails);
  await list('tools');
  expect((await application.state()).integrations[0]).toMatchObject({
    state: 'stale',
    counts: { tools: 1 },
  });
});

it('the state of an application names at most 1,000 that are left out, with names of 200 characters', async () => {
  const many = new TestApplication();
  const names = Array.from({ length: 700 }, (_, index) => `${index}${'𝄞'.repeat(300)}`);
  many.attach('second').on('tools', lists('tools', ...[...names, ...names].map(toolOf)));
  await many.list(many.client('modern'), 'tools');
  const { leftOut } = await many.state();
  expect(leftOut).toHaveLength(1000);
  expect(leftOut[0]?.name).toBe(`0${'𝄞'.repeat(199)}`);
});
