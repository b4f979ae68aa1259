import { connectMcpClient } from '@gatehouse/harness';
import { type Exchange, startUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();

describe('integrations of both eras', () => {
  const SECRET = 'secret-of-the-upstream';

  const [first, second] = [
    use(() => startUpstream({ requireBearer: SECRET })),
    use(() => startUpstream({ requireBearer: SECRET })),
  ];

  const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

  beforeAll(async () => {
    const fields = { authMode: 'server_token', serverToken: SECRET };
    await fixture.integrate({ ...fields, name: 'First', url: first.url });
    await fixture.integrate({ ...fields, name: 'Second', url: second.url });
  });

  describe.each(['legacy', 'modern'] as const)('the official client, %s era', (era) => {
    it('lists and calls the tools of all integrations by one URL', async () => {
      const { owner } = fixture.server;
      const client = await connectMcpClient({ url: url(), era, bearer: owner });
      const tools = await client.listTools();
      expect(tools).toContain('first__test_simple_text');
      expect(tools).toContain('second__test_simple_text');
      expect(await client.callTool('first__test_simple_text')).toMatch(/simple text/);
      expect(await client.callTool('second__test_simple_text')).toMatch(/simple text/);
      await client.close();
      for (const upstream of [first, second]) expect(upstream.hasReceived(owner)).toBe(false);
      expect(client.received.hasReceived(SECRET)).toBe(false);
    });
  });
});

describe('integrations of one era', () => {
  const SECRET = 'secret-of-the-upstream';

  const [legacy, modern] = [
    use(() => startUpstream({ requireBearer: SECRET, era: 'legacy' })),
    use(() => startUpstream({ requireBearer: SECRET, era: 'modern' })),
  ];

  const connect = (era: 'legacy' | 'modern', capabilities = {}) =>
    connectMcpClient({
      url: `${fixture.server.origin}/mcp/${fixture.applicationId}`,
      era,
      bearer: fixture.server.owner,
      capabilities,
    });

  beforeAll(async () => {
    const fields = { authMode: 'server_token', serverToken: SECRET };
    const eras = { legacy: '2025-11-25', modern: '2026-07-28' };
    await fixture.integrate({ ...fields, name: 'Old', url: legacy.url }, { ...eras, modern: null });
    await fixture.integrate({ ...fields, name: 'New', url: modern.url }, { ...eras, legacy: null });
  });

  describe.each(['legacy', 'modern'] as const)('the official client, %s era', (era) => {
    it('lists and calls the tools of integrations of either era', async () => {
      const client = await connect(era);
      const tools = await client.listTools();
      for (const alias of ['old', 'new']) {
        expect(tools).toContain(`${alias}__test_simple_text`);
        expect(await client.callTool(`${alias}__test_simple_text`)).toMatch(/simple text/);
        await expect(client.callTool(`${alias}__test_error_handling`)).rejects.toThrow(/failed/);
      }
      await client.close();
      for (const upstream of [legacy, modern]) {
        expect(upstream.hasReceived(fixture.server.owner)).toBe(false);
      }
      expect(client.received.hasReceived(SECRET)).toBe(false);
    });

    it.each(['old', 'new'])('gets prompts and completions of %s', async (alias) => {
      const { client, close } = await connect(era);
      const name = `${alias}__test_prompt_with_arguments`;
      const prompt = await client.getPrompt({ name, arguments: { arg1: 'one', arg2: 'two' } });
      expect(JSON.stringify(prompt)).toContain('one');
      const ref = { type: 'ref/prompt' as const, name };
      const completed = await client.complete({ ref, argument: { name: 'arg1', value: 'o' } });
      expect(completed.completion.values).toEqual(expect.any(Array));
      await close();
    });

    it('reads resources', async () => {
      const { client, close } = await connect(era);
      const { resources } = await client.listResources();
      const [first] = resources;
      const read = await client.readResource({ uri: first?.uri ?? '' });
      expect(read.contents).toHaveLength(1);
      await close();
    });

    it.each(['old', 'new'])('hears of the progress of %s by its own token', async (alias) => {
      const { client, close } = await connect(era);
      const heard: number[] = [];
      const result = await client.callTool(
        { name: `${alias}__test_tool_with_progress`, arguments: {} },
        { onprogress: ({ progress }) => heard.push(progress) },
      );
      expect(heard).toEqual([0, 50, 100]);
      expect(result.isError).not.toBe(true);
      await close();
    });
  });

  it('subscribes a legacy client to a resource of a modern upstream', async () => {
    const applicationId = await newApplication(fixture, 'Modern');
    const fields = { authMode: 'server_token', serverToken: SECRET, name: 'New', url: modern.url };
    const id = await fixture.integrate(fields, { legacy: null, modern: '2026-07-28' });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const { client, close } = await connectMcpClient({
      url: `${fixture.server.origin}/mcp/${applicationId}`,
      era: 'legacy',
      bearer: fixture.server.owner,
    });
    const [first] = (await client.listResources()).resources;
    const uri = first?.uri ?? '';
    expect(await client.subscribeResource({ uri })).toEqual({});
    expect(await client.unsubscribeResource({ uri })).toEqual({});
    await close();
  });

  it('tells a modern client of changes that a legacy upstream announces in its session', async () => {
    const { client, callTool, close } = await connect('modern');
    const heard = new Set<string>();
    client.setNotificationHandler(
      'notifications/tools/list_changed',
      () => void heard.add('tools'),
    );
    const listening = await client.listen({ toolsListChanged: true });
    await expect
      .poll(
        async () => {
          await callTool('old__test_trigger_tool_change');
          return [...heard];
        },
        { timeout: 10_000, interval: 500 },
      )
      .toEqual(['tools']);
    await listening.close();
    await close();
  });

  it('mirrors arguments of a legacy client into headers that a modern upstream wants', async () => {
    const client = await connect('legacy');
    expect(await client.callTool('new__test_x_mcp_header', { region: 'é' })).toBe('region=é');
    await client.close();
  });

  it('gives modern clients of one token one session at a legacy upstream', async () => {
    const before = legacy.sessionIds.length;
    const clients = await Promise.all([connect('modern'), connect('modern')]);
    const texts = ['first', 'second', 'third', 'fourth'];
    const answers = await Promise.all(
      texts.map((text, index) => clients[index % 2]?.callTool('old__echo', { text })),
    );
    expect(answers).toEqual(texts);
    expect(legacy.sessionIds.length).toBeLessThanOrEqual(Math.max(before, 1));
    for (const client of clients) await client.close();
  });

  it('resumes the stream of a legacy upstream that ends it before the answer', async () => {
    const client = await connect('modern');
    expect(await client.callTool('old__test_reconnection')).toMatch(/resumed/);
    await client.close();
  });

  it('begins another session when the legacy upstream has forgotten it', async () => {
    const client = await connect('modern');
    expect(await client.callTool('old__echo', { text: 'one' })).toBe('one');
    await legacy.forgetSessions();
    expect(await client.callTool('old__echo', { text: 'two' })).toBe('two');
    await client.close();
  });

  describe('a legacy client that a modern upstream asks', () => {
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };

    async function connectAnswering() {
      const connected = await connect('legacy', capabilities);
      const { client } = connected;
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const names = Object.keys(
          (params as { requestedSchema: { properties: object } }).requestedSchema.properties,
        );
        const content = Object.fromEntries(
          names.map((name) => [name, name === 'ok' ? true : 'Ada']),
        );
        return { action: 'accept', content };
      });
      client.setRequestHandler('sampling/createMessage', () => ({
        model: 'm',
        role: 'assistant',
        content: { type: 'text', text: 'Paris' },
      }));
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
      return connected;
    }

    it.each([
      ['elicitation', 'Hello, Ada!'],
      ['sampling', 'Sampling response: Paris'],
      ['list_roots', 'Roots: file:///a'],
      ['request_state', 'state-ok'],
      ['multiple_inputs', 'Paris Ada, 1 root(s)'],
      ['multi_round', 'Multi-round complete for Ada'],
      ['capabilities', 'Input received'],
    ])('answers on its open call: %s', async (tool, answer) => {
      const client = await connectAnswering();
      expect(await client.callTool(`new__test_input_required_result_${tool}`)).toBe(answer);
      await client.close();
    });

    it('gets an error if it has not declared what the upstream asks for', async () => {
      const client = await connect('legacy', { roots: {} });
      const asked = client.callTool('new__test_input_required_result_elicitation');
      await expect(asked).rejects.toMatchObject({
        code: -31005,
        data: { code: 'client_capability_missing' },
      });
      await client.close();
    });

    it('cancels a call', async () => {
      const { client, close } = await connectAnswering();
      client.setRequestHandler('elicitation/create', () => new Promise(() => {}));
      const signal = AbortSignal.timeout(300);
      const name = 'new__test_input_required_result_elicitation';
      await expect(client.callTool({ name, arguments: {} }, { signal })).rejects.toThrow();
      await close();
    });
  });
});

describe('people', () => {
  const PEOPLE = ['ann', 'ben'] as const;
  type Person = (typeof PEOPLE)[number];

  const [first, second] = [
    use(() => startScriptedServer('first')),
    use(() => startScriptedServer('second')),
  ];
  const tokens = {} as Record<Person, string>;
  let url: string;
  let applicationId: string;

  const credentialOf = (person: Person, alias: string) => `${alias}-secret-of-${person}`;
  const bearerOf = ({ request }: Exchange) => String(request.headers.authorization).slice(7);

  beforeAll(async () => {
    applicationId = await newApplication(fixture);
    url = `${fixture.server.origin}/mcp/${applicationId}`;
    for (const person of PEOPLE) tokens[person] = (await fixture.server.addMember('member')).token;
    for (const [alias, server] of [
      ['first', first],
      ['second', second],
    ] as const) {
      const id = await fixture.integrate({ name: alias, url: server.url, authMode: 'user_token' });
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
      for (const person of PEOPLE) {
        const connection = { token: credentialOf(person, alias) };
        await fixture.api('POST', `/integrations/${id}/connection`, connection, tokens[person]);
      }
      server.on('tools/list', (exchange) =>
        exchange.respondResult({ tools: [toolOf('echo'), toolOf(bearerOf(exchange))] }),
      );
      server.on('tools/call', (exchange) =>
        exchange.respondResult({ content: [{ type: 'text', text: bearerOf(exchange) }] }),
      );
    }
  });

  const openFor = (person: Person, era: 'legacy' | 'modern') =>
    openClient(url, tokens[person], era);

  /** Who was named by what a server has received in each of its sessions. */
  function peopleBySession(): Map<string, Set<string>> {
    const people = new Map<string, Set<string>>();
    for (const server of [first, second]) {
      for (const { headers } of server.requests) {
        const session = headers['mcp-session-id'];
        const bearer = String(headers.authorization);
        if (session === undefined) continue;
        people.set(String(session), (people.get(String(session)) ?? new Set()).add(bearer));
      }
    }
    return people;
  }

  describe.each(['legacy', 'modern'] as const)('two people at one URL, in the %s era', (era) => {
    it('call with their own credentials, however their calls meet', async () => {
      const clients = await Promise.all(PEOPLE.map((person) => openFor(person, era)));
      const calls = Array.from({ length: 40 }, async (_, index) => {
        const person = PEOPLE[index % 2] as Person;
        const alias = index % 3 === 0 ? 'first' : 'second';
        const { body } = await (clients[index % 2] as AggregateClient).call(`${alias}__echo`);
        expect(body.result.content[0].text).toBe(credentialOf(person, alias));
      });
      await Promise.all(calls);
    });

    it('are each shown their own lists', async () => {
      const lists = PEOPLE.map(async (person) => (await openFor(person, era)).listTools());
      for (const [index, person] of PEOPLE.entries()) {
        expect((await lists[index])?.names).toEqual([
          'first__echo',
          `first__${credentialOf(person, 'first')}`,
          'second__echo',
          `second__${credentialOf(person, 'second')}`,
        ]);
      }
    });

    it('cannot call what only the other is shown', async () => {
      const ben = await openFor('ben', era);
      const { body } = await ben.call(`first__${credentialOf('ann', 'first')}`);
      expect(body.result.content[0].text).toBe(credentialOf('ben', 'first'));
    });
  });

  it('each session of a server was used with one credential', () => {
    const sessions = peopleBySession();
    expect(sessions.size).toBeGreaterThan(3);
    for (const bearers of sessions.values()) expect(bearers.size).toBe(1);
  });

  it('no server has received a token of ours, or a credential for the other', () => {
    for (const token of Object.values(tokens)) {
      expect(first.hasReceived(token)).toBe(false);
      expect(second.hasReceived(token)).toBe(false);
    }
    for (const person of PEOPLE) {
      expect(first.hasReceived(credentialOf(person, 'second'))).toBe(false);
      expect(second.hasReceived(credentialOf(person, 'first'))).toBe(false);
    }
  });

  it('a session of another person does not exist, on any method', async () => {
    const ann = await openFor('ann', 'legacy');
    const ben = await openFor('ben', 'legacy');
    const before = first.requests.length;
    for (const method of ['POST', 'DELETE', 'GET']) {
      const answer = await ben.send({ method, headers: ann.headers });
      expect([404, 405]).toContain(answer.status);
    }
    expect(first.requests.length).toBe(before);
    expect((await ann.call('first__echo')).status).toBe(200);
  });

  it('a person who connects another account is shown the lists of that one', async () => {
    const { id, token } = await fixture.server.addMember('member');
    expect(id).toBeDefined();
    const { body } = await fixture.api('GET', `/applications/${applicationId}`);
    const { id: integrationId } = body.application.integrations.find(
      ({ alias }: { alias: string }) => alias === 'first',
    );
    const connect = (secret: string) =>
      fixture.api('POST', `/integrations/${integrationId}/connection`, { token: secret }, token);
    await connect('one-account');
    const client = await openClient(url, token, 'legacy');
    expect((await client.listTools()).names).toContain('first__one-account');
    await connect('other-account');
    const { names } = await client.listTools();
    expect(names).toContain('first__other-account');
    expect(names).not.toContain('first__one-account');
    expect((await client.call('first__echo')).body.result.content[0].text).toBe('other-account');
  });
});
