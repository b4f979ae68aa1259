import { beforeEach, expect, it } from 'vitest';
import { listenSpeech } from '../../../src/gateway/aggregate/streams/listen-speech.ts';
import type { Followed, Speech } from '../../../src/gateway/aggregate/streams/merged-stream.ts';
import { StreamlessServers } from '../../../src/gateway/aggregate/streams/stream-part.ts';
import { readInbound } from '../../../src/gateway/inbound.ts';
import { EventReader } from '../../../src/mcp/sse/event-reader.ts';
import { modernRequest } from '../connect-fixture.ts';
import { lists, TestApplication, type TestIntegration } from './lists/application.ts';

const METHOD = 'subscriptions/listen';
const TASKS = 'io.modelcontextprotocol/tasks';

let application: TestApplication;
let first: TestIntegration;
let second: TestIntegration;

function offer(integration: TestIntegration, uris: readonly string[], templates: string[] = []) {
  const resources = uris.map((uri) => ({ uri, name: uri }));
  integration.on('resources', lists('resources', ...resources));
  const named = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
  integration.on('resourceTemplates', lists('resourceTemplates', ...named));
}

beforeEach(() => {
  application = new TestApplication();
  const [one, two, old] = ['first', 'second', 'old'].map((alias) => application.attach(alias)) as [
    ...[TestIntegration, TestIntegration, TestIntegration],
  ];
  const both = { legacy: '2025-11-25', modern: '2026-07-28', listChanged: ['tools' as const] };
  for (const integration of [one, two]) integration.speak(both);
  old.speak({ ...both, modern: null });
  offer(one, ['x:first'], ['t:{id}']);
  offer(two, ['x:second']);
  offer(old, ['x:old']);
  [first, second] = [one, two];
});

interface Listening {
  readonly speech: Speech;
  follow(integration: TestIntegration): Promise<Followed | undefined>;
}

async function listen(notifications: object, capabilities: object = {}): Promise<Listening> {
  const { body, headers } = modernRequest(METHOD, { notifications, forged: 1 }, capabilities);
  const { params } = body as { params: Record<string, unknown> };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const given = application.client('modern');
  const call = {
    ...given.call,
    inbound: readInbound(rawHeaders),
    request: { requestId: 'request', address: '' },
  };
  const client = { ...given, call } as never;
  const { lists, callDeps } = application;
  const deps = { lists, callDeps, streamless: new StreamlessServers() } as never;
  const speech = await listenSpeech(client, { id: '5', method: METHOD, params }, deps);
  if (speech === undefined) throw new Error('The request names no filter.');
  return {
    speech,
    follow: ({ attachmentId }) => {
      const { attachments } = application.application;
      const attachment = attachments.find((each) => each.attachmentId === attachmentId);
      if (attachment === undefined) throw new Error('It is not attached.');
      return speech.follow(client, attachment, undefined);
    },
  };
}

/** What an integration is asked for. */
async function paramsOf(followed: Followed | undefined) {
  const body = await followed?.request.readBody({} as never, 'whole', {} as never);
  return JSON.parse(String(body)).params;
}

const notification = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params,
});

/** What the client gets of the events of an integration. */
function passed(followed: Followed | undefined, events: readonly object[]): string {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const read = new EventReader(1024 * 1024).feed(Buffer.from(text));
  return read.map((event) => followed?.toClient(event)?.toString() ?? '').join('');
}

const messagesIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));

it('each integration is asked for its own resources, and for lists that it announces', async () => {
  const { speech, follow } = await listen(
    {
      ...{ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: 'yes' },
      resourceSubscriptions: ['x:first', 'x:second', 't:7', 'x:old', 'x:nobody'],
      ...{ taskIds: ['secret-task'], 'com.example/forged': { a: 1 }, taskStatusChanged: true },
    },
    { extensions: { [TASKS]: {} } },
  );
  const [acknowledged] = messagesIn(speech.first);
  expect(acknowledged.method).toBe('notifications/subscriptions/acknowledged');
  expect(acknowledged.params.notifications).toEqual({
    ...{ toolsListChanged: true, promptsListChanged: true },
    resourceSubscriptions: ['x:first', 't:7', 'x:second'],
  });
  const [ofFirst, ofSecond] = [
    await paramsOf(await follow(first)),
    await paramsOf(await follow(second)),
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
});

it('an integration with nothing of what a client asks for is not listened to', async () => {
  const { follow } = await listen({ resourceSubscriptions: ['x:first'] });
  expect(await follow(first)).toBeDefined();
  expect(await follow(second)).toBeUndefined();
});

it('only what was agreed comes down', async () => {
  const { speech, follow } = await listen({
    ...{ toolsListChanged: true, resourceSubscriptions: ['x:first'] },
  });
  const ofFirst = passed(await follow(first), [
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
  const ofSecond = passed(await follow(second), [
    notification('resources/updated', { uri: 'x:second' }),
    notification('tools/list_changed', { of: 'second' }),
  ]);
  const text = `${speech.first}${ofFirst}${ofSecond}`;
  expect(
    messagesIn(text)
      .map(({ method }) => method)
      .sort(),
  ).toEqual([
    'notifications/resources/updated',
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'notifications/tools/list_changed',
  ]);
  expect(text).toContain('x:first');
});
