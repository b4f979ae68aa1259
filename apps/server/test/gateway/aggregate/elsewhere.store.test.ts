import type { Exchange } from '@gatehouse/testing';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { timeOfId } from '../../../src/platform/ids.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { deafStore } from '../../support/deaf-store.ts';
import { use } from '../../support/use.ts';
import { type Answer, clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { ASKING, answerTo, askInResult, askOnStream, questionsIn } from './asking-server.ts';
import { useOtherNode } from './other-node.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

describe('answers on another node', () => {
  const modern = use(() => startScriptedServer('modern'));
  const legacy = use(() => startScriptedServer('legacy'));
  const deaf = deafStore();
  /** The node that has the call. */
  const other = useOtherNode(fixture, (store) => deaf.wrap(store));

  let applicationId: string;
  beforeAll(async () => {
    applicationId = await newApplication(fixture);
    const attach = async (name: string, url: string, eras: object) => {
      const id = await fixture.integrate({ name, url }, eras as never);
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    };
    await attach('New', modern.url, { legacy: null, modern: '2026-07-28' });
    await attach('Old', legacy.url, { legacy: '2025-11-25', modern: null });
  });
  beforeEach(async () => {
    await fixture.server.store.db.forwardedAnswer.deleteMany();
    deaf.isLost = () => false;
    askInResult(modern);
    askOnStream(legacy);
  });

  const urlAt = (origin: string) => `${origin}/mcp/${applicationId}`;
  const here = () => urlAt(fixture.server.origin);
  const there = () => urlAt(other.origin);
  const send = clientOf(() => fixture.server.owner);
  const ELICITATION = { elicitation: {} };
  const begin = () => openClient(here(), fixture.server.owner, 'legacy', ELICITATION);
  const rows = () => fixture.server.store.db.forwardedAnswer.count();

  const callOf = (name: string, id = 7) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  });

  /** A call of a legacy client, and the question that it has got. */
  async function callAt(
    url: string,
    { headers }: AggregateClient,
    name = 'new__echo',
  ): Promise<{ readonly answer: Answer; readonly question: string }> {
    const answer = await send(url, { headers, body: callOf(name) });
    const [question = ''] = questionsIn(await answer.received('elicitation/create'));
    return { answer, question };
  }

  const callThere = (client: AggregateClient, name?: string) => callAt(there(), client, name);

  const TOLD = 'told {\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"me\\"}}';

  describe('an elicitation', () => {
    it.each(['new__echo', 'old__echo'])(
      'of %s is answered by a legacy client on another node',
      async (name) => {
        const client = await begin();
        const { answer, question } = await callThere(client, name);
        const body = answerTo(question);
        expect((await send(here(), { headers: client.headers, body })).status).toBe(202);
        expect(await answer.text()).toContain(TOLD);
        expect(await rows()).toBe(0);
      },
    );

    it('of a modern integration is answered by a modern client on another node', async () => {
      const first = await openClient(there(), fixture.server.owner, 'modern', ELICITATION);
      const { body } = await first.call('new__echo');
      expect(body.result).toMatchObject(ASKING);
      const second = await openClient(here(), fixture.server.owner, 'modern', ELICITATION);
      const answered = await second.ask('tools/call', {
        name: 'new__echo',
        arguments: {},
        inputResponses: { key: JSON.parse(answerTo('0')).result },
        requestState: body.result.requestState,
      });
      expect(answered.text).toContain(TOLD);
    });

    it('of a legacy integration ends the call of a modern client on each node', async () => {
      for (const url of [here(), there()]) {
        const client = await openClient(url, fixture.server.owner, 'modern', ELICITATION);
        const { body } = await client.call('old__echo');
        expect(body.error.data).toMatchObject({ code: 'needs_legacy_client' });
      }
    });
  });

  describe('an answer on another node', () => {
    it('leads its call on, question after question', async () => {
      let calls = 0;
      modern.on('tools/call', ({ respondResult }) => {
        calls += 1;
        respondResult(calls < 4 ? ASKING : { resultType: 'complete', content: [] });
      });
      const client = await begin();
      const { answer } = await callThere(client);
      for (let round = 1; round < 4; round += 1) {
        let questions: string[] = [];
        await expect
          .poll(async () => {
            questions = questionsIn(await answer.received('elicitation'));
            return questions.length;
          })
          .toBe(round);
        const url = round % 2 === 0 ? there() : here();
        await send(url, { headers: client.headers, body: answerTo(questions.at(-1)) });
      }
      expect(await answer.text()).toContain('"result":{"content":[]}');
    });

    it('is passed on byte for byte, up to 4 MiB', async () => {
      let got = '';
      modern.on('tools/call', ({ request, respondResult }) => {
        got = request.body.toString();
        const isAnswered = got.includes('inputResponses');
        respondResult(isAnswered ? { resultType: 'complete', content: [] } : ASKING);
      });
      const client = await begin();
      const { answer, question } = await callThere(client);
      const long = 'ü'.repeat(2 * 1024 * 1024 - 1024);
      const result = `{"action":"accept","content":{"n":1.50e+3,"text":"${long}"}}`;
      const body = `{"jsonrpc":"2.0","id":${question},"result":${result}}`;
      expect((await send(here(), { headers: client.headers, body })).status).toBe(202);
      await answer.text();
      expect(got.includes(`"inputResponses":{"key":${result}}`)).toBe(true);
    });

    it('is found by the node that has missed its announcement', async () => {
      const client = await begin();
      const { answer, question } = await callThere(client);
      deaf.isLost = ({ kind }) => kind === 'answer';
      await send(here(), { headers: client.headers, body: answerTo(question) });
      expect(await rows()).toBe(1);
      deaf.listenAgain();
      expect(await answer.text()).toContain(TOLD);
      expect(await rows()).toBe(0);
    });

    it.runIf(testDatabaseKind === 'postgresql')(
      'finds the node that was not listening when it came',
      async () => {
        const client = await begin();
        const { answer, question } = await callThere(client);
        await fixture.server.store.db.$queryRaw`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
        await send(here(), { headers: client.headers, body: answerTo(question) });
        expect(await answer.text()).toContain(TOLD);
        expect(await rows()).toBe(0);
      },
    );

    it('is stored for the session that was asked alone', async () => {
      const [client, another] = [await begin(), await begin()];
      const { answer, question } = await callThere(client);
      deaf.isLost = ({ kind }) => kind === 'answer';
      const forged = [
        question.replace(/-[0-9a-f]{8}/, '-00000000'),
        question.replace(/\.[\w-]{43}\./, `.${'A'.repeat(43)}.`),
        question.replace(/[0-9a-f](?=\.[\w-]{43}\.)/, (digit) => (digit === '0' ? '1' : '0')),
        '"gatehouse-1"',
      ];
      for (const id of forged) {
        expect(id).not.toBe(question);
        const answered = await send(here(), { headers: client.headers, body: answerTo(id) });
        expect(answered.status).toBe(202);
      }
      await send(here(), { headers: another.headers, body: answerTo(question) });
      expect(await rows()).toBe(0);
      await send(here(), { headers: client.headers, body: answerTo(question) });
      await send(here(), { headers: client.headers, body: answerTo(question, 'another') });
      expect(await rows()).toBe(1);
      deaf.listenAgain();
      expect(await answer.text()).toContain(TOLD);
    });

    it('is not stored once its question has expired', async () => {
      const client = await begin();
      const { answer, question } = await callThere(client);
      deaf.isLost = ({ kind }) => kind === 'answer';
      const [, id = ''] = /\.([0-9a-f-]{36})\./.exec(question) ?? [];
      const { now } = Date;
      Date.now = () => timeOfId(id) + 10 * 60_000 + 1;
      try {
        const answered = await send(here(), { headers: client.headers, body: answerTo(question) });
        expect(answered.status).toBe(202);
      } finally {
        Date.now = now;
      }
      expect(await rows()).toBe(0);
      answer.abort();
    });

    it('to a call that is over leaves nothing behind', async () => {
      const client = await begin();
      const { answer, question } = await callThere(client);
      answer.abort();
      await expect.poll(() => answer.stream.destroyed).toBe(true);
      await send(here(), { headers: client.headers, body: answerTo(question) });
      await expect.poll(rows).toBe(0);
    });

    it('goes with its session', async () => {
      const client = await begin();
      const { question, answer } = await callThere(client);
      deaf.isLost = ({ kind }) => kind === 'answer';
      await send(here(), { headers: client.headers, body: answerTo(question) });
      expect(await rows()).toBe(1);
      await send(here(), { method: 'DELETE', headers: client.headers });
      expect(await rows()).toBe(0);
      answer.abort();
    });
  });

  describe('an answer on the node that has asked', () => {
    it('is not stored', async () => {
      const client = await begin();
      const { answer, question } = await callAt(here(), client);
      fixture.server.store.statements();
      const body = answerTo(question);
      await send(here(), { headers: client.headers, body });
      await answer.text();
      await send(here(), { headers: client.headers, body });
      expect(fixture.server.store.statements().join('\n')).not.toContain('ForwardedAnswer');
      expect(await rows()).toBe(0);
    });
  });
});

describe('cancellations on another node', () => {
  const modern = use(() => startScriptedServer('modern'));
  /** The node that has the call. */
  const other = useOtherNode(fixture);

  let applicationId: string;
  let clients: readonly AggregateClient[];

  beforeAll(async () => {
    applicationId = await newApplication(fixture);
    const eras = { legacy: null, modern: '2026-07-28' };
    const id = await fixture.integrate({ name: 'New', url: modern.url }, eras as never);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  });
  beforeEach(async () => {
    const begin = () =>
      openClient(urlAt(fixture.server.origin), fixture.server.owner, 'legacy', { elicitation: {} });
    clients = [await begin(), await begin()];
  });

  const urlAt = (origin: string) => `${origin}/mcp/${applicationId}`;
  const send = clientOf(() => fixture.server.owner);

  const callAt = (origin: string, id: string, { headers } = clients[0] as AggregateClient) =>
    send(urlAt(origin), {
      headers,
      body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"new__echo"}}`,
    });

  const call = (id: string, client?: AggregateClient) => callAt(other.origin, id, client);

  async function cancel(id: string, { headers } = clients[0] as AggregateClient): Promise<void> {
    const params = `{"requestId":${id}}`;
    const body = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
    expect((await send(urlAt(fixture.server.origin), { headers, body })).status).toBe(202);
  }

  describe('a request that its client cancels on another node', () => {
    it.each(['7', '"seven"'])('is cancelled upstream, with the id %s', async (id) => {
      let upstream: Exchange | undefined;
      modern.on('tools/call', (exchange) => {
        upstream = exchange;
      });
      const answer = call(id);
      await expect.poll(() => upstream).toBeDefined();
      await cancel(id);
      expect(await upstream?.closed).toBe('aborted');
      expect(await (await answer).text()).toBe('');
    });

    it('is announced only if it is not in flight where the client says so', async () => {
      const announced: string[] = [];
      const unsubscribe = fixture.server.store.changes.subscribe({
        react: (changes) => {
          if (changes === 'everything') return;
          for (const { kind, id } of changes) if (kind === 'cancellation') announced.push(id);
        },
      });
      onTestFinished(unsubscribe);
      const exchanges: Exchange[] = [];
      modern.on('tools/call', (exchange) => void exchanges.push(exchange));
      const here = callAt(fixture.server.origin, '7');
      const there = call('8');
      await expect.poll(() => exchanges.length).toBe(2);
      await cancel('7');
      expect(await (await here).text()).toBe('');
      await cancel('8');
      expect(await (await there).text()).toBe('');
      // Announcements arrive in their order: with one of another session, those before it are there.
      await cancel('9', clients[1]);
      const sessions = () => new Set(announced.map((key) => key.split(':', 1)[0]));
      await expect.poll(() => sessions().size).toBe(2);
      expect(announced).toHaveLength(2);
    });

    it('ends while the client is being asked', async () => {
      askInResult(modern);
      const answer = await call('7');
      await answer.received('elicitation/create');
      await cancel('7');
      expect(await answer.text()).not.toContain('"result"');
    });
  });

  it.each([
    ['another node', () => other.origin],
    ['the node that has them', () => fixture.server.origin],
  ])(
    'requests with the same id, or of the same session, go on when one is cancelled on %s',
    async (_, origin) => {
      const exchanges: Exchange[] = [];
      modern.on('tools/call', (exchange) => void exchanges.push(exchange));
      const cancelled = callAt(origin(), '7');
      const others = [callAt(origin(), '8'), callAt(origin(), '7', clients[1])];
      await expect.poll(() => exchanges.length).toBe(3);
      // What is announced first arrives first.
      await cancel('9', clients[1]);
      await cancel('7');
      expect(await (await cancelled).text()).toBe('');
      for (const { respondResult } of exchanges) respondResult({ content: [] });
      for (const other of others) {
        expect(await (await other).text()).toContain('"result":{"content":[]}');
      }
    },
  );
});
