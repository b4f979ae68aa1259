import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { initializeBody, jsonOf, startUnconnected, type Unconnected } from './connect-fixture.ts';
import { clientOf, type SendOptions, STATELESS, useFixture } from './fixture.ts';

const fixture = useFixture();
let person: Unconnected;

beforeAll(async () => {
  person = await startUnconnected(fixture, { name: `Notes "of" ${'x'.repeat(100)}` });
});

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 2, method, params });

describe('a legacy client of a person who has not connected', () => {
  it('initializes, and gets a session', async () => {
    const before = fixture.upstream.requests.length;
    const answer = await person.send({ body: initializeBody() });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/);
    expect(await jsonOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'gatehouse-connect', title: 'Gatehouse', version: '0.0.0-test' },
        instructions: expect.stringMatching(
          /“Notes.*” cannot be used: you have not connected an account/,
        ),
      },
    });
    expect(fixture.upstream.requests.length).toBe(before);
    const path = `/applications/${fixture.applicationId}/sessions`;
    expect((await fixture.api('GET', path)).body.items).toEqual([]);
  });

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
  ])('that wants %s gets %s', async (requested, negotiated) => {
    const { result } = await person.ask({ body: initializeBody(requested) });
    expect(result.protocolVersion).toBe(negotiated);
  });

  it('lists one tool, which names the integration, with the id of the request to the last digit', async () => {
    const headers = await person.initialize();
    const { status, text } = await person.send({
      headers,
      body: '{"jsonrpc":"2.0","method":"tools/list","id":12345678901234567890}',
    });
    expect(status).toBe(200);
    const body = await text();
    expect(body).toContain('"id":12345678901234567890,');
    const [tool, ...others] = JSON.parse(Buffer.from(body, 'latin1').toString()).result.tools;
    expect(others).toEqual([]);
    expect(tool).toMatchObject({ name: 'connect_account', inputSchema: { type: 'object' } });
    expect(tool.title).toMatch(/^Connect Notes "of" x{68}…$/);
  });

  it('gets the link as text from the tool, and from every other call', async () => {
    const headers = await person.initialize();
    const called = await person.ask({
      headers,
      body: rpc('tools/call', { name: 'connect_account' }),
    });
    expect(called.result.content).toEqual([
      { type: 'text', text: expect.stringContaining(`${person.connectUrl}\n`) },
    ]);
    for (const [method, params] of [
      ['tools/call', { name: 'search' }],
      ['prompts/get', { name: 'x' }],
      ['logging/setLevel', { level: 'info' }],
    ] as const) {
      const { error } = await person.ask({ headers, body: rpc(method, params) });
      expect(error.message).toContain(`Open ${person.connectUrl}`);
      expect(error).toMatchObject({
        code: -31001,
        data: {
          code: 'connection_required',
          reason: 'connection_required',
          integrationId: person.integrationId,
          connectUrl: person.connectUrl,
        },
      });
    }
  });

  it('finds nothing else, and is answered when it pings', async () => {
    const headers = await person.initialize();
    const results = [];
    for (const method of ['ping', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      results.push((await person.ask({ headers, body: rpc(method) })).result);
    }
    expect(results).toEqual([{}, { prompts: [] }, { resources: [] }, { resourceTemplates: [] }]);
  });

  it('is asked to open the link, if it can be', async () => {
    const url = { elicitation: { url: {} } };
    const body = rpc('tools/call', { name: 'connect_account', arguments: {} });
    const able = await person.ask({ headers: await person.initialize('2025-11-25', url), body });
    expect(able.error).toMatchObject({
      code: -32042,
      data: {
        elicitations: [
          {
            mode: 'url',
            elicitationId: expect.any(String),
            url: person.connectUrl,
            message: expect.stringContaining('Sign in'),
          },
        ],
      },
    });
    const form = { elicitation: {} };
    for (const [version, capabilities] of [
      ['2025-11-25', form],
      ['2025-06-18', url],
    ] as const) {
      const headers = await person.initialize(version, capabilities);
      expect((await person.ask({ headers, body })).result.content).toHaveLength(1);
    }
  });

  it('may send notifications and batches, but no responses and no empty batch', async () => {
    const headers = await person.initialize('2025-03-26');
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const body of [notification, [notification, notification]]) {
      const answer = await person.send({ headers, body });
      expect([answer.status, await answer.text()]).toEqual([202, '']);
    }
    const batch = [rpc('ping'), notification, { ...rpc('tools/call', { name: 'x' }), id: 'b' }];
    expect(await person.ask({ headers, body: batch })).toEqual([
      { jsonrpc: '2.0', id: 2, result: {} },
      expect.objectContaining({ id: 'b', error: expect.objectContaining({ code: -31001 }) }),
    ]);
    expect((await person.send({ headers, body: [] })).status).toBe(403);
    expect((await person.send({ headers, body: '{"id":1' })).status).toBe(400);
    const response = { jsonrpc: '2.0', id: 1, result: {} };
    expect((await person.send({ headers, body: response })).status).toBe(403);
  });

  it('must not name an unknown version', async () => {
    const headers = { 'mcp-protocol-version': 'newest' };
    const answer = await person.send({ headers, body: rpc('tools/list') });
    expect(answer.status).toBe(400);
  });

  it('ends its session with DELETE', async () => {
    const headers = await person.initialize();
    const answer = await person.send({ method: 'DELETE', headers });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  it('has no stream without a session', async () => {
    expect((await person.send({ method: 'GET' })).status).toBe(405);
    expect((await person.send({ method: 'GET', headers: STATELESS })).status).toBe(403);
  });
});

describe('a body', () => {
  /** A POST without a declared length, written piece by piece. */
  function open(): { req: ClientRequest; answer: Promise<unknown> } {
    const headers = {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
    };
    const req = request(person.url, { method: 'POST', agent: false, headers });
    req.on('error', () => {});
    return {
      req,
      answer: once(req, 'response').then(([res]) => json(res as IncomingMessage)),
    };
  }
  const text = JSON.stringify(rpc('tools/list'));
  const listed = { result: { tools: [{ name: 'connect_account' }] } };

  it('without a declared length is answered, in however many pieces it comes', async () => {
    const { req, answer } = open();
    for (const piece of [text.slice(0, 5), text.slice(5, 9)]) {
      await new Promise((resolve) => req.write(piece, resolve));
    }
    req.end(text.slice(9));
    expect(await answer).toMatchObject(listed);
  });

  it('in hundreds of pieces is answered', async () => {
    const { req, answer } = open();
    for (const piece of JSON.stringify(rpc('tools/list', { text: 'x'.repeat(256) }))) {
      req.write(piece);
    }
    req.end();
    expect(await answer).toMatchObject(listed);
  });
});

describe('the session', () => {
  const list = rpc('tools/list');
  const send = async (to: Unconnected, id: string, method = 'POST') => {
    const headers = { 'mcp-session-id': id, ...STATELESS };
    const { status } = await to.send({
      method,
      headers,
      body: method === 'POST' ? list : undefined,
    });
    return status;
  };
  const idOf = async (of: Unconnected) => String((await of.initialize())['mcp-session-id']);

  it('belongs to its caller and one attachment alone', async () => {
    const id = await idOf(person);
    const stranger = await startUnconnected(fixture);
    /** A caller at a URL that they may both use. */
    const at = ({ url }: Unconnected, caller: Unconnected): Unconnected => {
      const own = clientOf(caller.token);
      return { ...caller, send: (options: SendOptions) => own(url, options) };
    };
    expect(await send(person, id)).toBe(200);
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect(await send(at(person, stranger), id, method)).toBe(404);
      expect(await send(at(stranger, person), id, method)).toBe(404);
    }
  });

  it('belongs to one token alone', async () => {
    const owner = await startUnconnected(fixture);
    const id = await idOf(owner);
    const { body } = await fixture.server.call('POST', '/tokens', {
      token: owner.token,
      body: { name: 'another', scopes: ['mcp'] },
    });
    const other = clientOf(body.secret);
    const same: Unconnected = { ...owner, send: (options) => other(owner.url, options) };
    expect(await send(same, id)).toBe(404);
    expect(await send(owner, id)).toBe(200);
  });

  it('is refused when it was altered anywhere', async () => {
    const id = await idOf(person);
    const altered = [...id].map((letter, at) => {
      const other = letter === 'A' ? 'B' : 'A';
      return id.slice(0, at) + other + id.slice(at + 1);
    });
    // The last letter of base64url has bits that decoding drops.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const letter of letters) altered.push(id.replace(/.(?=\.test$)/, letter));
    for (const other of altered.filter((candidate) => candidate !== id)) {
      expect(await send(person, other), other).toBe(404);
    }
    expect(await send(person, 'connect.')).toBe(404);
  });

  it.each([
    ['2025-11-25', { elicitation: { url: {} } }],
    ['2025-06-18', {}],
  ])(
    'of %s learns it from its stream once the person has connected',
    async (version, capabilities) => {
      const leaving = await startUnconnected(fixture);
      const headers = await leaving.initialize(version, capabilities);
      const stream = await leaving.send({ method: 'GET', headers });
      expect(stream.status).toBe(200);
      expect(stream.headers['content-type']).toBe('text/event-stream');
      expect(stream.headers['x-accel-buffering']).toBe('no');
      await leaving.connect();
      const events = await stream.text();
      expect(events).toMatch(
        /event: message\ndata: {"jsonrpc":"2.0","method":"notifications\/tools\/list_changed"}\n\n$/,
      );
      expect(events.includes('elicitation/complete')).toBe(version === '2025-11-25');
    },
  );

  it('ends with its token', async () => {
    const headers = await person.initialize();
    const { server } = fixture;
    const stream = await person.send({ method: 'GET', headers });
    const { items } = (await server.call('GET', '/tokens', { token: person.token })).body;
    await server.call('DELETE', `/tokens/${items[0].id}`, { token: person.token });
    expect(await stream.text()).toBe('');
    expect(await send(person, String(headers['mcp-session-id']))).toBe(401);
  });
});
