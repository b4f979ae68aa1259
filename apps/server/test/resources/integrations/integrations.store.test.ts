import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { useMember, useStranger } from '../../support/users.ts';
import { createIntegration, problemOf, readIntegration } from './support.ts';

const server = useServer();
const admin = useMember(server, 'admin');
const member = useMember(server, 'member');
const stranger = useStranger(server);

const minimal = { name: 'Search', url: 'https://mcp.example.com/mcp' };
const create = (body: unknown, options = {}) =>
  server.call('POST', '/integrations', { body, ...options });

describe('POST /integrations', () => {
  it('requires a token', async () => {
    const answer = await create(minimal, { token: null });
    expect(problemOf(answer)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('is for admins and owners', async () => {
    expect(problemOf(await create(minimal, { token: member.token })).code).toBe('forbidden');
    expect((await create(minimal, { token: admin.token })).status).toBe(201);
  });

  it('fills in the defaults and leaves out what is empty', async () => {
    const answer = await create(minimal);
    expect(answer.status).toBe(201);
    const { integration } = answer.body;
    expect(integration).toStrictEqual({
      ...minimal,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      category: 'gateway_remote_mcp',
      authMode: 'none',
      serverTokenConfigured: false,
      validationStatus: 'pending',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: integration.createdAt,
      archivedAt: null,
    });
    expect(answer.headers.get('location')).toBe(`${server.baseUrl}/integrations/${integration.id}`);
    expect(answer.headers.get('etag')).toBe('"v1"');
  });

  it('stores every field and never answers with the server token', async () => {
    const body = {
      name: '  Tracker  ',
      url: 'https://tracker.example.com:8443/mcp?tenant=a',
      category: 'internal_mcp_credentials',
      authMode: 'server_token',
      serverToken: 'the-very-secret-token',
      oauth: { provider: 'example', issuer: 'https://id.example.com', scopes: ['read', 'read'] },
      capabilities: { tools: { listChanged: true }, prompts: [], other: null },
      credentialSchema: {
        type: 'object',
        properties: { token: { type: 'string', 'x-header': 'X-Api-Key', title: 'Key' } },
      },
    };
    const answer = await create(body);
    const { serverToken, ...visible } = body;
    expect(answer.body.integration).toMatchObject({
      ...visible,
      name: 'Tracker',
      oauth: { ...body.oauth, scopes: ['read'] },
      serverTokenConfigured: true,
    });
    expect(answer.text).not.toContain(serverToken);
    const row = await server.store.db.integrationSecret.findFirstOrThrow({
      where: { integrationId: answer.body.integration.id },
    });
    expect(Buffer.from(row.sealed).includes(serverToken)).toBe(false);
    expect(await readIntegration(server, answer.body.integration.id)).toStrictEqual(
      answer.body.integration,
    );
  });

  it('keeps the keys of capabilities whatever their names', async () => {
    const answer = await server.call('POST', '/integrations', {
      body: { ...minimal, capabilities: JSON.parse('{"__proto__":{"a":1},"$type":"Enum"}') },
    });
    expect(Object.keys(answer.body.integration.capabilities).sort()).toStrictEqual([
      '$type',
      '__proto__',
    ]);
  });

  it('reads an empty OAuth configuration as one without scopes', async () => {
    const integration = await createIntegration(server, { oauth: {} });
    expect(integration.oauth).toStrictEqual({ scopes: [] });
  });

  it('needs a server token in the mode server_token, and keeps one in any other', async () => {
    const without = await create({ ...minimal, authMode: 'server_token' });
    expect(problemOf(without)).toStrictEqual({
      status: 400,
      code: 'validation_failed',
      at: ['/serverToken'],
    });
    const kept = await create({ ...minimal, authMode: 'user_token', serverToken: 'shared' });
    expect(kept.body.integration).toMatchObject({
      serverTokenConfigured: true,
      userConnection: { connected: false, status: 'disconnected' },
    });
  });

  it('refuses a proxied address outside the egress policy, and leaves others to the dial', async () => {
    for (const url of [
      'http://10.0.0.1/mcp',
      'http://169.254.169.254/',
      'http://0x7f.1.2.3:80@x/',
    ]) {
      const answer = await create({ ...minimal, url });
      expect(answer.status).toBe(400);
    }
    const refused = await create({ ...minimal, url: 'http://[::ffff:10.0.0.1]/mcp' });
    expect(problemOf(refused)).toStrictEqual({ status: 400, code: 'egress_denied', at: ['/url'] });
    expect(refused.text).toContain('GATEHOUSE_ALLOWED_NETWORKS');
    const brokered = await create({
      ...minimal,
      url: 'http://10.0.0.1/mcp',
      category: 'internal_mcp_credentials',
    });
    expect(brokered.status).toBe(201);
  });

  it('refuses what is no JSON Schema, and schemas that fetch or reach reserved headers', async () => {
    const faulty = [
      { type: 'array' },
      { properties: { a: { type: 'object' } } },
      { properties: { a: { type: 'string', minLength: 'x' } } },
      { properties: { a: { $ref: 'https://example.com/schema.json' } } },
      { properties: { a: { type: 'string', 'x-header': 'Host' } } },
    ];
    for (const credentialSchema of faulty) {
      const answer = await create({ ...minimal, credentialSchema });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].pointer).toMatch(/^\/credentialSchema/);
    }
  });

  it('names the unknown field', async () => {
    expect(problemOf(await create({ ...minimal, authmode: 'none' }))).toStrictEqual({
      status: 400,
      code: 'unknown_field',
      at: ['/authmode'],
    });
  });

  it('makes one integration for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'create-1' };
    const first = await create({ ...minimal, name: 'Once' }, { headers });
    const second = await create({ ...minimal, name: 'Once' }, { headers });
    expect(second.status).toBe(201);
    expect(second.body).toStrictEqual(first.body);
    expect(second.headers.get('etag')).toBe('"v1"');
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    const other = await create({ ...minimal, name: 'Twice' }, { headers });
    expect(problemOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });
});

describe('GET /integrations/:id', () => {
  it('requires a token', async () => {
    const { id } = await createIntegration(server);
    expect((await server.call('GET', `/integrations/${id}`, { token: null })).status).toBe(401);
  });

  it('answers every role the same, with the ETag', async () => {
    const integration = await createIntegration(server);
    for (const token of [admin.token, member.token]) {
      const answer = await server.call('GET', `/integrations/${integration.id}`, { token });
      expect(answer.body.integration).toStrictEqual(integration);
      expect(answer.headers.get('etag')).toBe('"v1"');
    }
  });

  it('finds nothing of another organization, and refuses invalid ids', async () => {
    const { id } = await createIntegration(server);
    const foreign = await server.call('GET', `/integrations/${id}`, { token: stranger.token });
    expect(problemOf(foreign).code).toBe('not_found');
    const upper = await server.call('GET', `/integrations/${id.toUpperCase()}`);
    expect(upper.body.integration.id).toBe(id);
    expect(problemOf(await server.call('GET', '/integrations/1'))).toMatchObject({
      status: 400,
      at: ['id'],
    });
  });
});

describe('GET /integrations', () => {
  const list = (query: string, token = server.owner) =>
    server.call('GET', `/integrations?${query}`, { token });
  const namesOf = (answer: { body: { items: { name: string }[] } }) =>
    answer.body.items.map(({ name }) => name);

  it('requires a token', async () => {
    expect((await server.call('GET', '/integrations', { token: null })).status).toBe(401);
  });

  it('walks all pages, newest first, each integration once', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      made.unshift((await createIntegration(server, { name: `walk ${i}` })).id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(
        `name=WALK&limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        member.token,
      );
      expect(page.status).toBe(200);
      seen.push(...page.body.items.map(({ id }: { id: string }) => id));
      cursor = page.body.nextCursor;
    } while (cursor);
    expect(seen).toStrictEqual(made);
  });

  it('takes a cursor only with the filters and the organization it was made for', async () => {
    const page = await list('name=walk&limit=1');
    const cursor = encodeURIComponent(page.body.nextCursor);
    for (const [query, token] of [
      [`name=other&cursor=${cursor}`, server.owner],
      [`name=walk&includeArchived=true&cursor=${cursor}`, server.owner],
      [`name=walk&cursor=${cursor}`, stranger.token],
      [`name=walk&cursor=${cursor}x`, server.owner],
    ] as const) {
      expect(problemOf(await list(query, token))).toStrictEqual({
        status: 400,
        code: 'invalid_cursor',
        at: ['cursor'],
      });
    }
    expect(
      (await list(`name=walk&limit=100&cursor=${cursor}`, member.token)).body.items,
    ).toHaveLength(4);
  });

  it('takes %, _ and \\ in the name filter as they are, and letters of any case', async () => {
    for (const name of ['100% sure', '100 sure', 'a_b', 'axb', 'back\\slash', 'Ünïcode']) {
      await createIntegration(server, { name });
    }
    const search = async (name: string) => namesOf(await list(`name=${encodeURIComponent(name)}`));
    expect(await search('100%')).toStrictEqual(['100% sure']);
    expect(await search('A_B')).toStrictEqual(['a_b']);
    expect(await search('k\\s')).toStrictEqual(['back\\slash']);
    expect(await search('üNÏ')).toStrictEqual(['Ünïcode']);
  });

  it('takes an empty name as no filter', async () => {
    expect((await list('name=&limit=3')).body.items).toHaveLength(3);
  });

  it('leaves archived ones out unless asked, for every role', async () => {
    const { id } = await createIntegration(server, { name: 'archive me' });
    await server.call('DELETE', `/integrations/${id}`);
    expect(namesOf(await list('name=archive me', member.token))).toStrictEqual([]);
    const all = await list('name=archive me&includeArchived=true', member.token);
    expect(all.body.items[0].archivedAt).toMatch(/Z$/);
  });

  it('lowers a large limit, and refuses one that is no positive integer', async () => {
    expect((await list('limit=1000000')).status).toBe(200);
    for (const limit of ['0', '-1', '1.5', 'x', '']) {
      expect(problemOf(await list(`limit=${limit}`))).toMatchObject({ status: 400, at: ['limit'] });
    }
  });

  it('sends the same number of statements for one integration and for many', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { id } = await createIntegration(server, {
        name: `count ${i}`,
        authMode: 'user_token',
      });
      await server.call('POST', `/integrations/${id}/connection`, { body: { token: `t${i}` } });
    }
    const statementsOf = async (query: string) => {
      server.store.statements();
      expect((await list(query)).status).toBe(200);
      return server.store.statements().length;
    };
    const one = await statementsOf('name=count&limit=1');
    expect(await statementsOf('name=count&limit=3')).toBe(one);
    expect(one).toBeLessThanOrEqual(4);
  });

  it('shows each caller their own connection', async () => {
    const mine = await list('name=count');
    const theirs = await list('name=count', member.token);
    const statuses = (answer: typeof mine) =>
      answer.body.items.map((item: { userConnection: { status: string } }) => item.userConnection);
    expect(statuses(mine)).toStrictEqual(Array(3).fill({ connected: true, status: 'connected' }));
    expect(statuses(theirs)).toStrictEqual(
      Array(3).fill({ connected: false, status: 'disconnected' }),
    );
  });
});
