import type { Exchange } from '@gatehouse/testing';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../../../src/gateway/aggregate/lists/gather.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { clientOf, type Fixture, startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

/** Both eras pass it on. */
const MESSAGE =
  '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"data":1}}';

const MESSAGE_LATER = MESSAGE.replace(':1', ':2');

/** What holds on one node holds on the others within this many milliseconds. */
const PROMISED = 1_000;

/** Modern clients listen only to servers that announce what they ask for. */
const ANNOUNCING = { tools: { listChanged: true }, prompts: { listChanged: true } };

const fixture = useFixture();
const upstream = use(() => startScriptedServer('any', ANNOUNCING));
/** Of the second integration. */
const secondUpstream = use(() => startScriptedServer('any', ANNOUNCING));
const other = use(async () =>
  startGateway(
    testDatabaseKind === 'postgresql'
      ? await fixture.server.store.openAnotherNode()
      : fixture.server.store,
    { publicUrl: fixture.server.origin, limits: { reconnectAfter: 100 } },
  ),
);
/** At the node of the management API. */
const impatient = use(() =>
  startGateway(fixture.server.store, {
    publicUrl: fixture.server.origin,
    limits: { reconnectAfter: 100 },
  }),
);

/** An application with two integrations, of which the first needs a credential of the person's own. */
let applicationId: string;
let firstId: string;
let person: { id: string; token: string; tokenId: string };

beforeEach(async () => {
  applicationId = await newApplication(fixture);
  const attach = async (name: string, authMode: string, { url } = upstream) => {
    const id = await fixture.integrate({ name, url, authMode });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  firstId = await attach('First', 'user_token');
  await attach('Second', 'none', secondUpstream);
  person = await addPerson();
  await connect();
});

beforeAll(() => {
  for (const server of [upstream, secondUpstream]) {
    for (const method of ['GET', 'subscriptions/listen']) {
      server.on(method, ({ startSse }) => startSse());
    }
  }
});

/** With a token that can be revoked. */
async function addPerson() {
  const member = await fixture.server.addMember('member');
  const scopes = ['mcp', 'management:read', 'management:write'];
  const { body } = await fixture.api('POST', '/tokens', { name: 'own', scopes }, member.token);
  return { id: member.id, token: body.secret, tokenId: body.token.id };
}

const attachment = () => `/applications/${applicationId}/integrations/${firstId}`;
const connect = () =>
  fixture.api('POST', `/integrations/${firstId}/connection`, { token: 'secret' }, person.token);

interface Seen {
  readonly status: number;
  /** Of the first integration. */
  readonly names: readonly string[] | undefined;
  /** The text of the result, or the code of the error. */
  readonly called: unknown;
  readonly secondCalled: unknown;
}

async function see(client: AggregateClient, name = 'first__echo'): Promise<Seen> {
  const called = async (tool: string) => {
    const { status, body } = await client.call(tool);
    if (status !== 200) return status;
    return body.error?.code ?? body.result.content?.[0]?.text ?? body.result.resultType;
  };
  const { status, body } = await client.ask('tools/list');
  const names = body.result?.tools
    .map((tool: { name: string }) => tool.name)
    .filter((tool: string) => !tool.startsWith('second__'));
  return { status, names, called: await called(name), secondCalled: await called('second__echo') };
}

const WITH_ALL: Seen = { status: 200, names: ['first__echo'], called: 'any', secondCalled: 'any' };
const WITHOUT_FIRST: Seen = { status: 200, names: [], called: -32602, secondCalled: 'any' };
const WITHOUT_ANY = (status: number): Seen => ({
  status,
  names: undefined,
  called: status,
  secondCalled: status,
});

const setMode = (mode: string) =>
  fixture.api('PATCH', `/applications/${applicationId}`, { aggregate: { mode } });
const api: Fixture['api'] = (...args) => fixture.api(...args);

interface Withdrawal {
  readonly name: string;
  /** Whether what servers send is still passed on. */
  readonly keepsStreams?: true;
  withdraw(): Promise<unknown>;
  readonly seen: Seen;
  giveBack?(): Promise<unknown>;
}

const WITHDRAWALS: readonly Withdrawal[] = [
  {
    name: 'a detach',
    withdraw: () => api('DELETE', attachment()),
    seen: WITHOUT_FIRST,
    giveBack: () => api('POST', attachment()),
  },
  {
    name: 'the archiving of an integration',
    withdraw: () => api('DELETE', `/integrations/${firstId}`),
    seen: WITHOUT_FIRST,
    giveBack: () => api('POST', `/integrations/${firstId}/restore`),
  },
  {
    name: 'a disconnect',
    withdraw: () => api('DELETE', `/integrations/${firstId}/connection`, undefined, person.token),
    seen: {
      status: 200,
      names: ['gatehouse__connect_account'],
      called: expect.not.stringMatching('any'),
      secondCalled: 'any',
    },
    giveBack: () => connect(),
  },
  {
    name: 'the mode off',
    withdraw: () => setMode('off'),
    seen: WITHOUT_ANY(404),
    giveBack: () => setMode('list'),
  },
  {
    name: 'the archiving of the application',
    withdraw: () => api('DELETE', `/applications/${applicationId}`),
    seen: WITHOUT_ANY(404),
  },
  {
    name: 'the revocation of the token',
    withdraw: () => api('DELETE', `/tokens/${person.tokenId}`, undefined, person.token),
    seen: WITHOUT_ANY(401),
  },
  {
    name: 'the removal of the person',
    withdraw: () => api('DELETE', `/members/${person.id}`),
    seen: WITHOUT_ANY(401),
  },
  {
    name: 'rules about people',
    withdraw: () => api('PUT', `/integrations/${firstId}/policy`, { roles: ['owner'] }),
    seen: { status: 200, names: [], called: -31003, secondCalled: 'any' },
    giveBack: () => api('PUT', `/integrations/${firstId}/policy`, {}),
  },
  {
    name: 'rules about names',
    keepsStreams: true,
    withdraw: () => api('PUT', `/integrations/${firstId}/policy`, { tools: { allow: ['other'] } }),
    seen: { status: 200, names: [], called: -31003, secondCalled: 'any' },
    giveBack: () => api('PUT', `/integrations/${firstId}/policy`, {}),
  },
];

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  const clientAt = (origin: string) =>
    openClient(`${origin}/mcp/${applicationId}`, person.token, era);

  it.each(WITHDRAWALS)('$name holds for the next request, until it is given back', async (one) => {
    const client = await clientAt(fixture.server.origin);
    expect(await see(client)).toEqual(WITH_ALL);
    await one.withdraw();
    expect(await see(client)).toEqual(one.seen);
    if (one.giveBack === undefined) return;
    await one.giveBack();
    await connect();
    expect(await see(client)).toEqual(WITH_ALL);
  });

  it.each(WITHDRAWALS)('$name holds on another node in time', async (one) => {
    const client = await clientAt(other.origin);
    expect(await see(client)).toEqual(WITH_ALL);
    await one.withdraw();
    await expect.poll(() => see(client), { timeout: PROMISED, interval: 20 }).toEqual(one.seen);
  });

  const method = era === 'legacy' ? 'GET' : 'subscriptions/listen';

  /** What the servers have open for it, too: the first integration's, and the second's. */
  async function openStream(client: AggregateClient) {
    const before = [upstream, secondUpstream].map((server) => server.received(method).length);
    const request =
      era === 'legacy'
        ? { method, headers: { ...client.headers, accept: 'text/event-stream' } }
        : modernRequest(method, {
            notifications: { toolsListChanged: true, promptsListChanged: true },
          });
    const stream = await client.send(request);
    onTestFinished(() => stream.abort());
    const opened = () => [upstream, secondUpstream].map((server) => server.received(method).length);
    await expect.poll(opened).toEqual(before.map((count) => count + 1));
    const [first, second] = [upstream, secondUpstream].map((server) =>
      server.received(method).at(-1),
    ) as [Exchange, Exchange];
    return { stream, first, second };
  }

  describe.each(['this', 'another'])('at %s node', (node) => {
    const originOf = () => (node === 'this' ? impatient.origin : other.origin);

    it.each(WITHDRAWALS)('$name cuts the streams that it is about, and no others', async (one) => {
      const client = await clientAt(originOf());
      await see(client);
      const { stream, first, second } = await openStream(client);
      const ended = stream.text();
      await one.withdraw();
      const cut = [
        ...(one.keepsStreams ? [] : [first.closed]),
        ...(one.seen.secondCalled === 'any' ? [] : [second.closed, ended]),
      ];
      expect(await within(Promise.all(cut), PROMISED)).toBeDefined();
      if (one.seen.secondCalled !== 'any') return;
      await second.send(`data: ${MESSAGE}\n\n`);
      await stream.received(MESSAGE);
      await stream.received('notifications/tools/list_changed');
      if (one.giveBack === undefined || one.keepsStreams) return;
      await one.giveBack();
      await connect();
      await see(client);
      let isHeard = false;
      const heard = stream.received(MESSAGE_LATER).then(() => {
        isHeard = true;
      });
      const sendAgain = async () => {
        await upstream.received(method).at(-1)?.send(`data: ${MESSAGE_LATER}\n\n`);
        return isHeard;
      };
      await expect.poll(sendAgain, { interval: 100 }).toBe(true);
      await heard;
    });
  });

  it('another alias holds for the next request', async () => {
    const client = await clientAt(fixture.server.origin);
    await see(client);
    await fixture.server.store.transaction(async (tx) => {
      const where = { applicationId, integrationId: firstId };
      await tx.db.attachment.updateMany({ where, data: { alias: 'renamed' } });
      tx.announce({ kind: 'application', id: applicationId });
    });
    expect(await see(client)).toEqual({ ...WITH_ALL, names: ['renamed__echo'], called: -32602 });
    expect((await see(client, 'renamed__echo')).called).toBe('any');
  });
});

describe('the sessions behind a legacy session', () => {
  const path = () => `/applications/${applicationId}/sessions`;
  const open = async () =>
    (await fixture.api('GET', path())).body.items.filter(
      ({ state }: { state: string }) => state === 'open',
    );
  const start = async (origin = fixture.server.origin) => {
    const client = await openClient(`${origin}/mcp/${applicationId}`, person.token, 'legacy');
    await see(client);
    return client;
  };

  it('end with it, on every node', async () => {
    const client = await start();
    const there = `${other.origin}/mcp/${applicationId}`;
    expect(await open()).toHaveLength(2);
    const received = (method: string) => [
      upstream.received(method),
      secondUpstream.received(method),
    ];
    const before = received('DELETE').map(({ length }) => length);
    expect((await client.send({ method: 'DELETE', headers: client.headers })).status).toBe(204);
    expect(await open()).toEqual([]);
    const idOf = ({ request }: Exchange) => request.headers['mcp-session-id'];
    const ended = received('DELETE').map((all, index) => all.slice(before[index]).map(idOf));
    expect(ended).toEqual(received('tools/call').map((all) => all.slice(-1).map(idOf)));
    expect(await see(client)).toEqual(WITHOUT_ANY(404));
    expect((await client.send({ method: 'DELETE', headers: client.headers })).status).toBe(404);
    const status = async () =>
      (await clientOf(person.token)(there, { headers: client.headers })).status;
    await expect.poll(status, { timeout: PROMISED, interval: 20 }).toBe(404);
  });

  it('end with it in time, whatever their servers do', async () => {
    const client = await start();
    upstream.on('DELETE', () => {});
    const begun = performance.now();
    expect((await client.send({ method: 'DELETE', headers: client.headers })).status).toBe(204);
    expect(performance.now() - begun).toBeLessThan(4_000);
    upstream.on('DELETE', undefined);
    expect(await open()).toEqual([]);
    expect(await see(client)).toEqual(WITHOUT_ANY(404));
  });

  it('are revoked one by one: the others go on', async () => {
    const client = await start();
    const another = await start();
    const mine = (await open()).filter(
      ({ integrationId }: { integrationId: string }) => integrationId === firstId,
    );
    expect(mine).toHaveLength(2);
    const oldest = mine.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))[0];
    await fixture.api('DELETE', `${path()}/${oldest.id}`);
    const { status, body } = await client.call('first__echo');
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -31001,
      data: { code: 'session_revoked', integrationId: firstId },
    });
    expect(body.error.data.connectUrl).toBeUndefined();
    expect((await client.call('second__echo')).body.result).toBeDefined();
    expect(await see(another)).toEqual(WITH_ALL);
    const again = await start();
    expect(await see(again)).toEqual(WITH_ALL);
  });

  it('are followed by another one that the modern clients of the token share', async () => {
    const fields = { name: 'Third', url: upstream.url };
    const id = await fixture.integrate(fields, { legacy: '2025-11-25', modern: null });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const clients = await Promise.all([1, 2].map(() => openClient(url, person.token, 'modern')));
    const call = async () =>
      Promise.all(clients.map(async (client) => (await client.call('third__echo')).body));
    for (const { result } of await call()) expect(result).toBeDefined();
    const [behind, ...others] = await open();
    expect(others).toEqual([]);
    await fixture.api('DELETE', `${path()}/${behind.id}`);
    for (const { result } of await call()) expect(result).toBeDefined();
    expect(await open()).toHaveLength(1);
  });

  it('begun on two nodes at once are one', async () => {
    const client = await openClient(
      `${fixture.server.origin}/mcp/${applicationId}`,
      person.token,
      'legacy',
    );
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'first__echo' },
    };
    const origins = [fixture.server.origin, other.origin];
    const answers = await Promise.all(
      [...origins, ...origins].map(async (origin) => {
        const url = `${origin}/mcp/${applicationId}`;
        const answer = await clientOf(person.token)(url, { headers: client.headers, body });
        return JSON.parse(await answer.text()).result.content[0].text;
      }),
    );
    expect(answers).toEqual(['any', 'any', 'any', 'any']);
    expect(await open()).toHaveLength(1);
  });
});
