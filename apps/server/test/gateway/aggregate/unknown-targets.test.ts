import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/gateway/aggregate/answer-post.ts';
import type { InSession } from '../../../src/gateway/aggregate/client-call.ts';
import { readInbound } from '../../../src/gateway/inbound.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import type { Reply } from '../../../src/mcp/server/reply.ts';
import { modernRequest } from '../connect-fixture.ts';
import { lists, TestApplication, toolOf } from './lists/application.ts';

const ERAS = ['legacy', 'modern'] as const;

const application = new TestApplication();
const integration = application.attach('one');
integration.on('resources', lists('resources', { uri: 'test://known', name: 'known' }));
integration.on('resourceTemplates', lists('resourceTemplates'));

/** What a request is answered with. There is nothing with which a call could go up. */
async function ask(
  given: InSession,
  method: string,
  params: Record<string, unknown>,
  from = application,
) {
  const { era } = given.call;
  const modern = modernRequest(method, params);
  const body = era === 'modern' ? modern.body : { jsonrpc: '2.0', id: 5, method, params };
  const headers = era === 'modern' ? (modern.headers as Record<string, string>) : {};
  const bytes = Buffer.from(JSON.stringify(body));
  const envelope = readEnvelope(bytes);
  if (envelope.kind !== 'message') throw new Error('It is no message.');
  let answered = { status: 0, reply: {} as Reply };
  const call = {
    ...{ era, request: { headers }, inbound: readInbound(Object.entries(headers).flat()) },
    reply: (_id: string, reply: Reply, status = 200) => {
      answered = { status, reply };
    },
    answerBytes: () => {
      answered = { status: 200, reply: { result: {} } };
    },
  };
  const deps = { ...{ lists: from.lists, cursors: from.cursors }, version: '0' } as never;
  const client = { ...given, call, session: undefined } as never;
  await answerRequest(client, { ...envelope.message, id: '5', method }, bytes, deps);
  const { status, reply } = answered;
  return { status, error: 'error' in reply ? reply.error : undefined };
}

describe.each(ERAS)('what does not exist, in the %s era', (era) => {
  it.each([
    ['tools/call', { name: 'two__echo' }],
    ['tools/call', { name: 'echo' }],
    ['tools/call', { name: '' }],
    ['tools/call', { name: '__echo' }],
    ['tools/call', { name: 'gatehouse__other' }],
    ['prompts/get', { name: 'two__prompt' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'two__prompt' }, argument: {} }],
  ])('%s %j is -32602', async (method, params) => {
    const { status, error } = await ask(application.client(era), method, params);
    expect({ status, code: error?.code }).toEqual({ status: 200, code: -32602 });
    expect(error?.message).not.toContain('one');
  });

  it.each(era === 'modern' ? ['resources/read'] : ['resources/read', 'resources/subscribe'])(
    '%s of an unknown URI is refused with the code of its era',
    async (method) => {
      const { status, error } = await ask(application.client(era), method, {
        ...{ uri: 'test://unknown' },
      });
      expect(status).toBe(200);
      expect(error).toMatchObject({
        code: era === 'modern' ? -32602 : -32002,
        data: { uri: 'test://unknown' },
      });
    },
  );

  it('a method is refused with the status of its era', async () => {
    const { status, error } = await ask(application.client(era), 'tools/forget', {});
    expect({ status, code: error?.code }).toEqual({
      status: era === 'modern' ? 404 : 200,
      code: -32601,
    });
  });

  it.each(['tools/list', 'prompts/list', 'resources/list'])(
    'an altered or foreign cursor of %s is refused',
    async (method) => {
      for (const cursor of ['x', '', 'AAAA.BBBB', 17, null, {}]) {
        const { status, error } = await ask(application.client(era), method, { cursor });
        expect({ status, code: error?.code }, String(cursor)).toEqual({
          status: 200,
          code: -32602,
        });
      }
    },
  );
});

it('a cursor of ours leads through all pages, and is of no use to others', async () => {
  const paged = new TestApplication();
  const tools = Array.from({ length: 6 }, (_, index) => ({
    ...toolOf(`tool${index}`),
    description: 'x'.repeat(600_000),
  }));
  paged.attach('large').on('tools', lists('tools', ...tools));
  paged.attach('small');
  const client = paged.client('modern');
  const names: string[] = [];
  const cursors: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await paged.list(client, 'tools', cursor);
    names.push(...page.names);
    cursor = page.result.nextCursor;
    if (cursor !== undefined) cursors.push(cursor);
  } while (cursor !== undefined);
  expect(names).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => `large__tool${index}`).concat('small__echo'),
  );
  expect(cursors).toHaveLength(1);
  const [own = ''] = cursors;
  const codeOf = async (asking: InSession, method: string, given: string) =>
    (await ask(asking, method, { cursor: given }, paged)).error?.code;
  expect(await codeOf(client, 'tools/list', own)).toBeUndefined();
  expect(await codeOf(client, 'tools/list', `${own.slice(0, -2)}xx`)).toBe(-32602);
  expect(await codeOf(client, 'prompts/list', own)).toBe(-32602);
  const elsewhere = { ...client, application: application.application };
  expect(await codeOf(elsewhere, 'tools/list', own)).toBe(-32602);
  expect(await codeOf(paged.client('modern', 'another'), 'tools/list', own)).toBe(-32602);
});
