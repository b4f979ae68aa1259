import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { initializeBody, META, modernRequest } from '../connect-fixture.ts';
import { clientOf, type SendOptions, startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

const upstream = use(() => startScriptedServer('any'));
/** Another node: an integration may name it, since its host is not the public one. */
const node = use(() => startGateway(fixture.server.store));
let applicationId: string;
let integrationId: string;
let url: string;

const ERAS = ['legacy', 'modern'] as const;

async function attach(application: string, fields: Record<string, unknown>): Promise<string> {
  const id = await fixture.integrate({ url: upstream.url, ...fields });
  await fixture.api('POST', `/applications/${application}/integrations/${id}`);
  return id;
}

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  url = `${fixture.server.origin}/mcp/${applicationId}`;
  integrationId = await attach(applicationId, { name: 'One' });
  upstream.on('resources/list', ({ respondResult }) =>
    respondResult({ resources: [{ uri: 'test://known', name: 'known' }] }),
  );
  upstream.on('resources/templates/list', ({ respondResult }) =>
    respondResult({ resourceTemplates: [] }),
  );
});

const open = (era: (typeof ERAS)[number], at = url) => openClient(at, fixture.server.owner, era);
const send = (options: SendOptions, at = url) => clientOf(fixture.server.owner)(at, options);
const jsonOf = async (options: SendOptions, at = url) => {
  const { status, text } = await send(options, at);
  return { status, body: JSON.parse((await text()) || 'null') };
};

describe.each(ERAS)('what does not exist, in the %s era', (era) => {
  let client: AggregateClient;

  beforeAll(async () => {
    client = await open(era);
    // What resources there are is known by now.
    await client.ask('resources/read', { uri: 'test://known' });
  });

  it('a tool is -32602, and nothing goes up', async () => {
    const before = upstream.requests.length;
    const { status, body } = await client.call('two__echo');
    expect(status).toBe(200);
    expect(body.error.code).toBe(-32602);
    expect(body.error.message).not.toContain('one');
    expect(upstream.requests.length).toBe(before);
  });

  it.each(['tools/call', 'prompts/get', 'resources/read', 'completion/complete'])(
    '%s of nothing is 400',
    async (method) => {
      const before = upstream.requests.length;
      const { status, body } = await client.ask(method);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: -32600 });
      expect(upstream.requests.length).toBe(before);
    },
  );
});

describe('headers of a modern request that differ from its body', () => {
  it.each([
    ['the method', { 'mcp-method': 'tools/list' }],
    ['the name', { 'mcp-name': 'one__other' }],
    ['no method', { 'mcp-method': [] }],
    ['no name', { 'mcp-name': [] }],
  ])('%s', async (_name, changed: Record<string, string | string[]>) => {
    const { headers, body } = modernRequest('tools/call', { name: 'one__echo', arguments: {} });
    const before = upstream.requests.length;
    const answer = await jsonOf({ headers: { ...headers, ...changed }, body });
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
      status: 400,
      code: -32020,
    });
    expect(upstream.requests.length).toBe(before);
  });

  it('the version', async () => {
    const { headers, body } = modernRequest('tools/list');
    const _meta = { [`${META}/protocolVersion`]: '2025-11-25', [`${META}/clientCapabilities`]: {} };
    const changed = { ...(body as object), params: { _meta } };
    expect((await jsonOf({ headers, body: changed })).status).toBe(400);
  });

  it('a name that is encoded is the same name', async () => {
    const { headers, body } = modernRequest('tools/call', { name: 'one__echo', arguments: {} });
    const encoded = `=?base64?${Buffer.from('one__echo').toString('base64')}?=`;
    const answer = await jsonOf({ headers: { ...headers, 'mcp-name': encoded }, body });
    expect(answer.body.result.content[0].text).toBe('any');
    expect(upstream.requests.at(-1)?.headers['mcp-name']).toBe('echo');
  });
});

describe('responses of a client', () => {
  const respond = async (client: AggregateClient, id: unknown) => {
    const body = { jsonrpc: '2.0', id, result: {} };
    return (await client.send({ headers: client.headers, body })).status;
  };
  const idOf = (attachmentId: string, id: string) =>
    `gatehouse.${attachmentId}.${Buffer.from(id).toString('base64url')}`;
  let attachmentId: string;

  beforeEach(async () => {
    const where = { applicationId, integrationId };
    attachmentId = (await fixture.server.store.db.attachment.findFirstOrThrow({ where })).id;
  });

  it('with a forged id reach nothing but a session of their sender', async () => {
    const client = await open('legacy');
    await client.call('one__echo');
    const before = upstream.requests.length;
    const forged = [
      1,
      'other',
      'gatehouse.x.y',
      idOf('00000000-0000-4000-8000-000000000000', '1'),
      idOf(attachmentId, '{"a":1}'),
      idOf(attachmentId, '1,"result":2'),
      idOf(attachmentId, ''),
    ];
    for (const id of forged) expect(await respond(client, id)).toBe(202);
    await client.call('one__echo');
    expect(upstream.requests.length).toBe(before + 1);
    const session = upstream.received('tools/call').at(-1)?.request.headers['mcp-session-id'];
    expect(await respond(client, idOf(attachmentId, '"own"'))).toBe(202);
    await expect.poll(() => upstream.requests.length).toBe(before + 2);
    const last = upstream.requests.at(-1);
    expect(JSON.parse(String(last?.body))).toEqual({ jsonrpc: '2.0', id: 'own', result: {} });
    expect(last?.headers['mcp-session-id']).toBe(session);
  });
});

describe('a session', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  it('that is missing is 400', async () => {
    const { status, body: problem } = await jsonOf({ body });
    expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation_failed' });
  });

  it.each(['unknown', 'A'.repeat(43)])('that is unknown is 404: %s', async (id) => {
    const answer = await jsonOf({ headers: { 'mcp-session-id': id }, body });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 404,
      code: 'session_not_found',
    });
  });

  it('of a pair, of another application or of another person is 404', async () => {
    const { headers } = await open('legacy');
    const elsewhere = `${fixture.server.origin}/mcp/${await newApplication(fixture)}`;
    expect((await jsonOf({ headers, body }, elsewhere)).status).toBe(404);
    expect((await jsonOf({ headers, body }, `${url}/${integrationId}`)).status).toBe(404);
    const { token } = await fixture.server.addMember('admin');
    expect((await send({ headers, body, token })).status).toBe(404);
    const pair = await open('legacy', `${url}/${integrationId}`);
    expect((await jsonOf({ headers: pair.headers, body })).status).toBe(404);
    expect((await jsonOf({ headers, body })).status).toBe(200);
  });
});

describe('bodies', () => {
  const inSession = async () => (await open('legacy')).headers;

  it.each([
    ['no JSON', '{"jsonrpc":'],
    ['nothing', ''],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    [
      'a name twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__a","name":"one__b"}}',
    ],
    ['a method twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}'],
    [
      'a task twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__echo","task":{},"task":{}}}',
    ],
    ['a text', '"text"'],
    ['deep nesting', '['.repeat(10_000)],
  ])('%s: 400, and nothing goes up', async (_name, body) => {
    const headers = await inSession();
    const before = upstream.requests.length;
    expect((await send({ headers, body })).status).toBe(400);
    expect(upstream.requests.length).toBe(before);
  });

  it.each(['2025-03-26', '2025-11-25'])(
    'a batch in a session of %s is refused whole, with what to do instead',
    async (version) => {
      const { headers: answered } = await send({ body: initializeBody(version) });
      const headers = { 'mcp-session-id': String(answered['mcp-session-id']) };
      const before = upstream.requests.length;
      const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
      const { status, text } = await send({ headers, body: [message(1), message(2)] });
      const { id, error } = JSON.parse(await text());
      expect({ status, id, code: error.code }).toEqual({ status: 400, id: null, code: -32600 });
      expect(error.message).toContain('Send each message by itself.');
      expect(upstream.requests.length).toBe(before);
    },
  );

  it('a longer one than may be sent is 413', async () => {
    const headers = await inSession();
    const params = { name: 'one__echo', arguments: { text: 'x'.repeat(16 * 1024 * 1024) } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const declared = await send({ headers, body });
    expect(declared.status).toBe(413);
    const chunked = { ...headers, 'transfer-encoding': 'chunked', 'content-length': [] };
    expect((await send({ headers: chunked, body })).status).toBe(413);
  });

  it('a long one goes up whole', async () => {
    const client = await open('legacy');
    const text = 'é'.repeat(2 * 1024 * 1024);
    expect((await client.call('one__echo', { text })).status).toBe(200);
    const sent = upstream.received('tools/call').at(-1)?.request.body.toString();
    expect(JSON.parse(sent ?? '').params).toEqual({ name: 'echo', arguments: { text } });
  });

  it('a long one that we would answer ourselves is refused', async () => {
    const client = await open('legacy');
    const { status } = await client.ask('ping', { text: 'x'.repeat(100_000) });
    expect(status).toBe(400);
  });

  it.each([
    ['another encoding', { 'content-type': 'application/json; charset=utf-16' }],
    ['compression', { 'content-encoding': 'gzip' }],
  ])('%s is 415', async (_name, changed: Record<string, string>) => {
    const headers = { ...(await inSession()), ...changed };
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await send({ headers, body })).status).toBe(415);
  });
});

describe('other spellings of the URL', () => {
  it.each(['/', '/mcp', '/mcp/', '?x=1'])('%s is the same', async (end) => {
    const client = await open('legacy', url + end);
    expect((await client.call('one__echo')).body.result.content[0].text).toBe('any');
  });

  it.each(['/x', '/mcp/x', '//'])('%s does not exist', async (end) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await send({ body }, url + end)).status).toBe(404);
  });

  it('a foreign, unknown or archived application does not exist', async () => {
    const archived = await newApplication(fixture);
    await fixture.api('DELETE', `/applications/${archived}`);
    for (const id of [archived, '00000000-0000-4000-8000-000000000000']) {
      const { headers, body } = modernRequest('tools/list');
      const answer = await jsonOf({ headers, body }, `${fixture.server.origin}/mcp/${id}`);
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: 'not_found',
      });
    }
  });
});

describe.each(ERAS)('a URL that leads back, in the %s era', (era) => {
  it.each(['pair', 'aggregate'])('to the %s', async (kind) => {
    const application = await newApplication(fixture);
    const server = { authMode: 'server_token', serverToken: fixture.server.owner };
    const id = await attach(application, { name: 'Loop', ...server });
    await attach(application, { name: 'Good' });
    const aggregate = `${node.origin}/mcp/${application}`;
    const back = kind === 'pair' ? `${aggregate}/${id}` : aggregate;
    await fixture.api('PATCH', `/integrations/${id}`, { url: back, ...server });
    const client = await open(era, aggregate);
    const { states } = await client.listTools();
    expect(states).toEqual({ loop: 'failed 0', good: 'ok 1' });
    const name = kind === 'pair' ? 'loop__echo' : 'loop__good__echo';
    const { status, body } = await client.call(name);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -31005,
      data: { code: 'loop_detected', integrationId: id },
    });
    expect((await client.call('good__echo')).body.result.content[0].text).toBe('any');
    expect((await client.listTools()).states.good).toBe('ok 1');
  });
});

describe('extensions', () => {
  const UI = 'io.modelcontextprotocol/ui';
  const TASKS = 'io.modelcontextprotocol/tasks';
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

  const servers = {
    legacy: use(() => startScriptedServer('legacy')),
    modern: use(() => startScriptedServer('modern')),
  };
  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${fixture.server.origin}/mcp/${applicationId}`;
    const both = { legacy: '2025-11-25', modern: '2026-07-28' };
    for (const era of ['legacy', 'modern'] as const) {
      const only = { ...both, [era === 'legacy' ? 'modern' : 'legacy']: null };
      const id = await fixture.integrate({ name: era, url: servers[era].url }, only);
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
      servers[era].speakOnly(era);
    }
  });

  /** What a client declares, tasks in the forms of both eras among it. */
  const DECLARED = {
    sampling: {},
    tasks: { requests: { tools: { call: {} } } },
    extensions: { [TASKS]: {}, [UI]: { mimeTypes: ['text/html'] }, 'com.example/x': {} },
  };
  const CARRIED = { sampling: {}, extensions: { [UI]: { mimeTypes: ['text/html'] } } };

  describe.each(['legacy', 'modern'] as const)('a call of a client of the %s era', (era) => {
    it.each(['legacy', 'modern'] as const)(
      'takes no tasks and no unknown extensions to a server of the %s era',
      async (spoken) => {
        const server = servers[spoken];
        const name = `${spoken}__echo`;
        const client = await openClient(url, fixture.server.owner, era, DECLARED);
        const task = '{"ttl":9007199254740993}';
        const related = `"io.modelcontextprotocol/related-task":{"taskId":"t"}`;
        const more = `"task":${task},"arguments":{"n":9007199254740993,"task":1}`;
        const meta =
          era === 'legacy'
            ? `{${related},"x":1}`
            : `{${related},"x":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","${CAPABILITIES}":${JSON.stringify(DECLARED)}}`;
        const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}",${more},"_meta":${meta}}}`;
        const modern = {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        };
        const answer = await client.send({
          body,
          headers: era === 'legacy' ? client.headers : modern,
        });
        expect(await answer.text()).toContain(`"text":"${spoken}"`);
        const sent = server.received('tools/call').at(-1)?.request.body.toString() ?? '';
        expect(sent).toContain('"arguments":{"n":9007199254740993,"task":1}');
        const { params } = JSON.parse(sent);
        expect(params.task).toBeUndefined();
        expect(params._meta).toMatchObject({ x: 1 });
        expect(params._meta).not.toHaveProperty('io.modelcontextprotocol/related-task');
        if (spoken === 'modern') expect(params._meta[CAPABILITIES]).toEqual(CARRIED);
      },
    );
  });

  it('a session of a legacy client begins at a server without tasks and unknown extensions', async () => {
    const client = await openClient(url, fixture.server.owner, 'legacy', DECLARED);
    await client.call('legacy__echo');
    const { params } = JSON.parse(
      servers.legacy.received('initialize').at(-1)?.request.body.toString() ?? '{}',
    );
    expect(params.capabilities).toEqual(CARRIED);
  });
});
