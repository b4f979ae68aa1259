import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();

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

describe('records', () => {
  const server = use(() => startScriptedServer('any'));

  const [LEGACY, MODERN] = ['2025-11-25', '2026-07-28'];
  const ERAS = ['legacy', 'modern'] as const;
  const CELLS = ERAS.flatMap((client) => ERAS.map((upstream) => ({ client, upstream })));

  /** By the era of the integration. */
  const ids = { legacy: '', modern: '' };
  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${fixture.server.origin}/mcp/${applicationId}`;
    for (const era of ERAS) {
      const spoken = era === 'legacy' ? { legacy: LEGACY } : { modern: MODERN };
      ids[era] = await fixture.integrate({ name: era, url: `${server.url}/${era}` }, spoken);
      const where = { id: ids[era] };
      const spokenEras = { url: `${server.url}/${era}`, legacy: null, modern: null, ...spoken };
      await fixture.server.store.db.integration.update({ where, data: { spokenEras } });
      await fixture.api('POST', `/applications/${applicationId}/integrations/${ids[era]}`);
    }
  });

  interface CallEvent {
    readonly details: { readonly method: string; readonly name: string | null };
  }

  async function namesOfCalls(integrationId: string): Promise<readonly (string | null)[]> {
    const path = `/audit-events?kind=call&integrationId=${integrationId}&limit=100`;
    const { body } = await fixture.api('GET', path);
    return (body.items as CallEvent[])
      .filter(({ details }) => details.method === 'tools/call')
      .map(({ details }) => details.name);
  }

  it('lists that an integration answers on an event stream are recorded as relayed', async () => {
    server.on('tools/list', async (exchange) => {
      exchange.startSse();
      const result = { tools: [toolOf('echo')] };
      await exchange.sendEvent({ data: { jsonrpc: '2.0', id: exchange.message?.id, result } });
    });
    const { listTools } = await openClient(url, fixture.server.owner, 'legacy');
    expect((await listTools()).names).toContain('legacy__echo');
    server.on('tools/list', undefined);
    const outcomes = async () => {
      const path = `/audit-events?kind=call&integrationId=${ids.legacy}&limit=100`;
      const { body } = await fixture.api('GET', path);
      return body.items
        .filter(({ details }: CallEvent) => details.method === 'tools/list')
        .map(({ outcome }: { outcome: string }) => outcome);
    };
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual(['relayed']);
  });

  describe.each(CELLS)('a $client client of a $upstream integration', ({ client, upstream }) => {
    it('is recorded with the name that the integration knows', async () => {
      const before = await namesOfCalls(ids[upstream]);
      const { call } = await openClient(url, fixture.server.owner, client);
      expect((await call(`${upstream}__echo`)).body.result).toBeDefined();
      await expect
        .poll(() => namesOfCalls(ids[upstream]), { timeout: 10_000 })
        .toHaveLength(before.length + 1);
      expect(new Set(await namesOfCalls(ids[upstream]))).toEqual(new Set(['echo']));
    });

    it('gets the refusal of a limit under its own id', async () => {
      const policy = `/integrations/${ids[upstream]}/policy`;
      await fixture.api('PUT', policy, { limits: { perMinute: 1 } });
      const { ask } = await openClient(url, fixture.server.owner, client);
      const params = { name: `${upstream}__echo`, arguments: {} };
      await ask('tools/call', params);
      const { body } = await ask('tools/call', params);
      expect(body).toMatchObject({ id: 5, error: { code: -31004 } });
      await fixture.api('PUT', policy, {});
    });

    it.each(['"é"', '"\\u00e9"'])('gets the answer to the id %s', async (id) => {
      const { send, headers } = await openClient(url, fixture.server.owner, client);
      const name = `${upstream}__echo`;
      const meta = {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name, arguments: {}, ...(client === 'modern' && { _meta: meta }) };
      const mirrored = {
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      };
      const answer = await send({
        headers: client === 'modern' ? mirrored : headers,
        body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params)}}`,
      });
      const read = JSON.parse(Buffer.from(await answer.text(), 'latin1').toString());
      expect(read).toMatchObject({ id: 'é', result: { content: [{ text: 'any' }] } });
    });
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

  it('a request with two of what says how it is read is refused', async () => {
    const { received } = servers.legacy;
    const before = received('tools/call').length;
    const client = await openClient(url, fixture.server.owner, 'legacy');
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"legacy__echo","task":{},"task":{}}}';
    const answer = await client.send({ body, headers: client.headers });
    expect(answer.status).toBe(400);
    expect(received('tools/call').length).toBe(before);
  });
});
