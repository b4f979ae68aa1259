import type { Exchange } from '@gatehouse/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/platform/problem-error.ts';
import { deafStore } from '../../support/deaf-store.ts';
import { use } from '../../support/use.ts';
import { type Answer, clientOf, type Fixture, startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { ASKING, answerTo, askInResult, questionsIn } from './asking-server.ts';
import { useOtherNode } from './other-node.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

describe('a client that is asked', () => {
  /** What holds on one node holds on the others within this many milliseconds. */
  const PROMISED = 1_000;

  const modern = use(() => startScriptedServer('modern'));
  const deaf = deafStore();
  const other = useOtherNode(fixture, (store) => deaf.wrap(store));

  let applicationId: string;
  let integrationId: string;
  let person: { id: string; token: string; tokenId: string };
  let client: AggregateClient;

  beforeEach(async () => {
    deaf.isLost = () => false;
    askInResult(modern);
    applicationId = await newApplication(fixture);
    const eras = { legacy: null, modern: '2026-07-28' };
    integrationId = await fixture.integrate({ name: 'New', url: modern.url }, eras as never);
    await api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
    person = await addPerson();
    const url = urlAt(fixture.server.origin);
    client = await openClient(url, person.token, 'legacy', { elicitation: {} });
  });

  const api: Fixture['api'] = (...args) => fixture.api(...args);
  const urlAt = (origin: string) => `${origin}/mcp/${applicationId}`;

  async function addPerson() {
    const member = await fixture.server.addMember('member');
    const scopes = ['mcp', 'management:read', 'management:write'];
    const { body } = await api('POST', '/tokens', { name: 'own', scopes }, member.token);
    return { id: member.id, token: body.secret, tokenId: body.token.id };
  }

  /** The call of the client on a node, which asks it. */
  async function callAt(origin: string): Promise<{ answer: Answer; question: string }> {
    const params = { name: 'new__echo', arguments: {} };
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const answer = await clientOf(person.token)(urlAt(origin), { headers: client.headers, body });
    const [question = ''] = questionsIn(await answer.received('elicitation/create'));
    return { answer, question };
  }

  const respond = (origin: string, question: string) =>
    clientOf(person.token)(urlAt(origin), { headers: client.headers, body: answerTo(question) });

  const calls = () => modern.received('tools/call').length;

  interface Withdrawal {
    readonly name: string;
    withdraw(): Promise<unknown>;
    /** Of the error. */
    readonly code: string;
  }

  const WITHDRAWALS: readonly Withdrawal[] = [
    {
      name: 'the end of its session',
      withdraw: () => client.send({ method: 'DELETE', headers: client.headers }),
      code: 'session_not_found',
    },
    {
      name: 'the revocation of its token',
      withdraw: () => api('DELETE', `/tokens/${person.tokenId}`, undefined, person.token),
      code: 'unauthenticated',
    },
    {
      name: 'the removal of its person',
      withdraw: () => api('DELETE', `/members/${person.id}`),
      code: 'unauthenticated',
    },
    {
      name: 'a detach',
      withdraw: () => api('DELETE', `/applications/${applicationId}/integrations/${integrationId}`),
      code: 'not_found',
    },
    {
      name: 'the archiving of the integration',
      withdraw: () => api('DELETE', `/integrations/${integrationId}`),
      code: 'not_found',
    },
    {
      name: 'the archiving of the application',
      withdraw: () => api('DELETE', `/applications/${applicationId}`),
      code: 'not_found',
    },
    {
      name: 'a rule about people',
      withdraw: () => api('PUT', `/integrations/${integrationId}/policy`, { roles: ['owner'] }),
      code: 'policy',
    },
  ];

  describe('the call of a client that is being asked', () => {
    it.each(WITHDRAWALS)('is ended in time by $name on another node', async (one) => {
      const { answer } = await callAt(other.origin);
      const before = calls();
      await one.withdraw();
      const withdrawnAt = performance.now();
      const text = await answer.text();
      expect(performance.now() - withdrawnAt).toBeLessThan(PROMISED);
      expect(text).toContain(`"code":"${one.code}"`);
      expect(calls()).toBe(before);
    });

    it('is ended where its integration was detached, though it is attached again', async () => {
      const { answer } = await callAt(other.origin);
      deaf.isLost = () => true;
      const path = `/applications/${applicationId}/integrations/${integrationId}`;
      await api('DELETE', path);
      await api('POST', path);
      deaf.listenAgain();
      expect(await answer.text()).toContain('"code":"session_not_found"');
    });

    it('is ended by what was withdrawn while its request was upstream', async () => {
      let beforeResolve = async () => {};
      const node = await startGateway(fixture.server.store, {
        publicUrl: fixture.server.origin,
        beforeResolve: () => beforeResolve(),
      });
      modern.on('tools/call', async ({ respondResult }) => {
        const checked = new Promise<void>((resolve) => {
          // The check of the open call comes to an end only after the call.
          beforeResolve = () => {
            resolve();
            beforeResolve = async () => {
              throw new ProblemError('forbidden', 'Withdrawn.');
            };
            return new Promise(() => {});
          };
        });
        await api('PATCH', `/integrations/${integrationId}`, { name: 'Renamed' });
        await checked;
        respondResult(ASKING);
      });
      const { answer } = await callAt(node.origin);
      expect(await answer.text()).toContain('"code":"forbidden"');
      await node.close();
    });

    it('keeps no stream of an integration that has asked and does not end it', async () => {
      let closed: Promise<string> | undefined;
      modern.on('tools/call', async (exchange) => {
        ({ closed } = exchange);
        exchange.startSse();
        const asked = { jsonrpc: '2.0', id: exchange.message?.id, result: ASKING };
        await exchange.sendEvent({ data: JSON.stringify(asked) });
      });
      const { answer } = await callAt(fixture.server.origin);
      expect(await closed).toBe('aborted');
      expect(answer.stream.readableEnded).toBe(false);
      answer.abort();
    });

    it('is kept open by comments, each after the silence of any event stream', async () => {
      const limits = { keepAlive: 300 };
      const node = await startGateway(fixture.server.store, {
        limits,
        publicUrl: fixture.server.origin,
      });
      const { answer, question } = await callAt(node.origin);
      await answer.received(': keep-alive\n\n');
      await answer.received(': keep-alive\n\n: keep-alive\n\n');
      await respond(node.origin, question);
      expect(await answer.text()).toContain('told');
      await node.close();
    });

    it('goes on when something else changes', async () => {
      const { answer, question } = await callAt(other.origin);
      await addPerson();
      await api('PATCH', `/integrations/${integrationId}`, { name: 'Renamed' });
      await respond(fixture.server.origin, question);
      expect(await answer.text()).toContain('told');
    });
  });

  describe('a node that shuts down', () => {
    const open = (limits = {}) =>
      startGateway(fixture.server.store, { limits, publicUrl: fixture.server.origin });

    it('waits for the answer of a client that is being asked', async () => {
      const node = await open();
      const { answer, question } = await callAt(node.origin);
      let isClosed = false;
      const closing = node.gateway.close().then(() => {
        isClosed = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(isClosed).toBe(false);
      await respond(fixture.server.origin, question);
      expect(await answer.text()).toContain('told');
      await closing;
      await node.close();
    });

    it('ends its call when it has waited for long enough', async () => {
      const node = await open({ closeDeadline: 100 });
      const { answer } = await callAt(node.origin);
      await node.gateway.close();
      const text = await answer.text();
      expect(text).toContain('"code":-31005');
      expect(text).toContain('"code":"overloaded"');
      await node.close();
    });
  });
});

describe('messages of a client', () => {
  const names = ['one', 'two', 'three'] as const;
  const servers = names.map((name) => use(() => startScriptedServer(name)));
  const [one, two, three] = servers as [ScriptedServer, ScriptedServer, ScriptedServer];
  const other = useOtherNode(fixture);

  let applicationId: string;
  let ids: readonly string[];
  let client: AggregateClient;
  const send = clientOf(() => fixture.server.owner);

  beforeAll(async () => {
    applicationId = await newApplication(fixture);
    ids = await Promise.all(
      servers.map(({ url }, i) => fixture.integrate({ name: names[i], url })),
    );
    for (const id of ids) {
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    }
  });
  beforeEach(async () => {
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    client = await openClient(url, fixture.server.owner, 'legacy', { sampling: {} });
    for (const name of names) await client.call(`${name}__echo`);
  });
  afterEach(() => {
    for (const server of servers) server.on('tools/call', undefined);
  });

  const call = (id: number | string, name: string, origin = fixture.server.origin) =>
    send(`${origin}/mcp/${applicationId}`, {
      headers: client.headers,
      body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name } },
    });
  const notify = async (method: string, params: object) => {
    const body = { jsonrpc: '2.0', method: `notifications/${method}`, params };
    expect((await client.send({ headers: client.headers, body })).status).toBe(202);
  };
  /** The messages of a method that each server has received since. */
  function receivedSince(method: string): () => unknown[][] {
    const before = servers.map((server) => server.received(method).length);
    return () =>
      servers.map((server, i) =>
        server
          .received(method)
          .slice(before[i])
          .map(({ request }) => JSON.parse(request.body.toString()).params),
      );
  }
  /** Once a message to all servers has arrived at them, so has what was sent before it. */
  async function hearsEveryone(): Promise<void> {
    const told = receivedSince('notifications/roots/list_changed');
    await notify('roots/list_changed', {});
    await expect.poll(() => told().map(({ length }) => length)).toEqual([1, 1, 1]);
  }

  describe('a cancellation', () => {
    it('reaches the one integration that has the request, once, as the client wrote it', async () => {
      one.on('tools/call', () => {});
      const calls = one.received('tools/call').length;
      const cancelled = receivedSince('notifications/cancelled');
      const answer = call(7, 'one__echo');
      await expect.poll(() => one.received('tools/call').length).toBe(calls + 1);
      const params = { requestId: 7, reason: 'Not needed.' };
      for (let n = 0; n < 3; n += 1) await notify('cancelled', params);
      await hearsEveryone();
      expect(cancelled()).toEqual([[params], [], []]);
      const [{ respondResult }] = one.received('tools/call').slice(-1) as [Exchange];
      respondResult({ content: [] });
      await (await answer).text();
    });

    it('reaches it from another node', async () => {
      two.on('tools/call', () => {});
      const calls = two.received('tools/call').length;
      const cancelled = receivedSince('notifications/cancelled');
      const answer = call('a', 'two__echo', other.origin);
      await expect.poll(() => two.received('tools/call').length).toBe(calls + 1);
      await notify('cancelled', { requestId: 'a' });
      await expect.poll(cancelled).toEqual([[], [{ requestId: 'a' }], []]);
      const [{ respondResult }] = two.received('tools/call').slice(-1) as [Exchange];
      respondResult({ content: [] });
      await (await answer).text();
    });

    it('of a request that nobody has reaches nobody', async () => {
      const cancelled = receivedSince('notifications/cancelled');
      for (const requestId of [1, 'none', null, {}]) {
        await notify('cancelled', { requestId, reason: 'private' });
      }
      await notify('cancelled', {});
      await hearsEveryone();
      expect(cancelled()).toEqual([[], [], []]);
    });
  });

  describe('progress of a client', () => {
    it('reaches the integration that has asked for it, with its own token', async () => {
      const token = 'the same for all';
      for (const server of [one, two]) {
        server.on('tools/call', async (exchange) => {
          exchange.startSse();
          const params = { messages: [], _meta: { progressToken: token } };
          const asked = { jsonrpc: '2.0', id: 17, method: 'sampling/createMessage', params };
          await exchange.sendEvent({ data: asked });
        });
      }
      const progress = receivedSince('notifications/progress');
      const calls = [await call(1, 'one__echo'), await call(2, 'two__echo')];
      const asked = await Promise.all(calls.map(({ received }) => received('\n\n')));
      const tokens = asked.map((text) => JSON.parse(text.slice(text.indexOf('{'))).params._meta);
      expect(tokens[0]).not.toEqual(tokens[1]);
      await notify('progress', { ...tokens[1], progress: 1, total: 2 });
      await expect
        .poll(progress)
        .toEqual([[], [{ progressToken: token, progress: 1, total: 2 }], []]);
      for (const { abort } of calls) abort();
    });

    it('with a token that nobody has given it reaches nobody', async () => {
      const progress = receivedSince('notifications/progress');
      const forged = Buffer.from('1').toString('base64url');
      for (const progressToken of [1, 'x', `gatehouse.${ids[0]}.${forged}`]) {
        await notify('progress', { progressToken, progress: 1 });
      }
      await hearsEveryone();
      expect(progress()).toEqual([[], [], []]);
    });
  });

  it('what a client tells all integrations counts for the limits of each', async () => {
    await fixture.api('PUT', `/integrations/${ids[2]}/policy`, { limits: { perMinute: 2 } });
    const told = receivedSince('notifications/roots/list_changed');
    for (let n = 0; n < 4; n += 1) await notify('roots/list_changed', {});
    await expect.poll(() => told().map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(three.received('notifications/roots/list_changed').length).toBeGreaterThan(0);
    await fixture.api('PUT', `/integrations/${ids[2]}/policy`, null);
  });
});
