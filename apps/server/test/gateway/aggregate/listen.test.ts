import { beforeEach, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { newApplication } from './aggregate-client.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const METHOD = 'subscriptions/listen';
const TASKS = 'io.modelcontextprotocol/tasks';

const fixture = useFixture();
const [first, second, old] = [
  use(() => startScriptedServer('first')),
  use(() => startScriptedServer('second')),
  use(() => startScriptedServer('old')),
];
let url: string;

/** The events that a server sends to who listens. */
function announce({ on }: ScriptedServer, events: readonly object[]): void {
  on(METHOD, async ({ startSse, send }) => {
    startSse();
    for (const event of events) await send(`data: ${JSON.stringify(event)}\n\n`);
  });
}

function offer({ on }: ScriptedServer, uris: readonly string[], templates: readonly string[] = []) {
  on('resources/list', ({ respondResult }) =>
    respondResult({ resources: uris.map((uri) => ({ uri, name: uri })) }),
  );
  on('resources/templates/list', ({ respondResult }) =>
    respondResult({
      resourceTemplates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    }),
  );
}

const notification = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params,
});

beforeEach(async () => {
  const applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  const both = { legacy: '2025-11-25', modern: '2026-07-28', listChanged: ['tools' as const] };
  const eras = [both, both, { ...both, modern: null }];
  for (const [index, server] of [first, second, old].entries()) {
    const id = await fixture.integrate({ name: `S${index}`, url: server.url }, eras[index]);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    server.on(METHOD, undefined);
  }
  offer(first, ['x:first'], ['t:{id}']);
  offer(second, ['x:second']);
  offer(old, ['x:old']);
  announce(first, []);
  announce(second, []);
});

function listen(notifications: object, capabilities: object = {}) {
  const request = modernRequest(METHOD, { notifications, forged: 1 }, capabilities);
  return clientOf(fixture.server.owner)(url, request);
}

/** The filter that a server has received, once it has. */
async function filterAt({ received }: ScriptedServer, count: number) {
  await expect.poll(() => received(METHOD).length).toBe(count + 1);
  return JSON.parse(received(METHOD)[count]?.request.body.toString() ?? '{}').params;
}

it('each integration is asked for its own resources, and for lists that it announces', async () => {
  const counts = [first, second].map(({ received }) => received(METHOD).length);
  const stream = await listen(
    {
      ...{ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: 'yes' },
      resourceSubscriptions: ['x:first', 'x:second', 't:7', 'x:old', 'x:nobody'],
      ...{ taskIds: ['secret-task'], 'com.example/forged': { a: 1 }, taskStatusChanged: true },
    },
    { extensions: { [TASKS]: {} } },
  );
  const acknowledged = await stream.received('acknowledged');
  const [, json = ''] = /data: (.*)\n\n/.exec(acknowledged) ?? [];
  expect(JSON.parse(json).params.notifications).toEqual({
    ...{ toolsListChanged: true, promptsListChanged: true },
    resourceSubscriptions: ['x:first', 't:7', 'x:second'],
  });
  const [ofFirst, ofSecond] = [
    await filterAt(first, counts[0] ?? 0),
    await filterAt(second, counts[1] ?? 0),
  ];
  expect(ofFirst.notifications).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ['x:first', 't:7'],
  });
  expect(ofSecond.notifications).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ['x:second'],
  });
  for (const params of [ofFirst, ofSecond]) {
    expect(Object.keys(params)).toEqual(['notifications', '_meta']);
    expect(params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({ extensions: {} });
  }
  stream.abort();
});

it('an integration with nothing of what a client asks for is not listened to', async () => {
  const before = second.received(METHOD).length;
  const asked = first.received(METHOD).length;
  const stream = await listen({ resourceSubscriptions: ['x:first'] });
  await filterAt(first, asked);
  expect(second.received(METHOD).length).toBe(before);
  stream.abort();
});

it('only what was agreed comes down', async () => {
  announce(first, [
    notification('subscriptions/acknowledged', { notifications: { taskIds: ['t'] } }),
    notification('tasks', { taskId: 'raw' }),
    notification('message', { level: 'info', data: '"method":"notifications/tools/list_changed"' }),
    notification('prompts/list_changed'),
    { jsonrpc: '2.0', id: 9, method: 'notifications/tools/list_changed' },
    { jsonrpc: '2.0', id: 3, result: { method: 'notifications/tools/list_changed' } },
    // Its own answer would end what the others still send to.
    { jsonrpc: '2.0', id: 5, result: { method: 'notifications/tools/list_changed' } },
    notification('resources/updated', { uri: 'x:first' }),
    notification('tools/list_changed', { of: 'first' }),
  ]);
  announce(second, [
    notification('resources/updated', { uri: 'x:second' }),
    notification('tools/list_changed', { of: 'second' }),
  ]);
  const stream = await listen({ toolsListChanged: true, resourceSubscriptions: ['x:first'] });
  await stream.received('{"of":"first"}');
  const text = await stream.received('{"of":"second"}');
  const methods = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  expect(methods.map(({ method }) => method).sort()).toEqual([
    'notifications/resources/updated',
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'notifications/tools/list_changed',
  ]);
  expect(text).toContain('x:first');
  stream.abort();
});
