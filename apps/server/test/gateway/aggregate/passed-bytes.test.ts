import { type Exchange, startUpstream } from '@gatehouse/testing';
import pino from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { startGateway, useFixture } from '../fixture.ts';
import {
  type AggregateClient,
  attachOfEachEra,
  newApplication,
  openClient,
} from './aggregate-client.ts';
import { checkEquality } from './equality/check-equality.ts';
import { openSides } from './equality/open-sides.ts';
import { entriesOf } from './equality/texts.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

describe('answers of the reference server', () => {
  const ERAS = ['legacy', 'modern'] as const;

  /** It asks whatever the client has declared. */
  const ASKING = ['test_sampling'];

  describe.each(ERAS)('a client of the %s era', (client) => {
    describe.each(ERAS)('at the one URL of the reference server in the %s era', (era) => {
      const upstream = use(() => startUpstream({ era }));
      const eras = { client, upstream: era };
      checkEquality({
        eras,
        open: () => openSides(fixture, { name: `${client} ${era}`, url: upstream.url }, eras),
        asking: client === 'modern' && era === 'legacy' ? ASKING : [],
        argumentsFor: {
          slow: { milliseconds: 10 },
          large_result: { bytes: 100_000 },
          test_sampling: { prompt: 'x' },
          // Last: each stream that is opened soon after hears of the change.
          test_trigger_prompt_change: {},
          test_trigger_tool_change: {},
        },
      });
    });
  });
});

describe('odd bytes', () => {
  const ERAS = ['legacy', 'modern'] as const;

  const scripted = use(() => startScriptedServer('scripted'));

  /** Entries, arguments and results that a parser would not give back as they were. */
  const ENTRY =
    '{ "x-unknown" : 12345678901234567890.10 ,\n"name":"odd", "inputSchema":{"type":"object","maximum":1e400, "\\u0061":1},"_meta" : { "a":0.1000, "gatehouse/integration":"forged", "b" : [1 , 2]} , "last":-0}';
  const ARGUMENTS = '{"n":12345678901234567890, "m" :1.0, "s":"\\u00e9\\/"}';
  const RESULT =
    '{"content":[ ] ,"structuredContent":{"n":12345678901234567890,"e":1E+2,"s":"\\u00e9\\/"},"_meta":{"k":-0.0}, "unknown":[{}]}';

  const OF_MODERN =
    '"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},';

  /** As a server of that era says it. */
  const resultOf = (era: 'legacy' | 'modern') =>
    era === 'legacy' ? RESULT : RESULT.replace('"_meta":{', OF_MODERN);

  /** Without what only one era says, in the gateway's own words. */
  const withoutEra = (text: string) =>
    text
      .replace('"resultType":"complete",', '')
      .replace(/"io.modelcontextprotocol\/serverInfo":\{[^}]*\},/, '');

  describe.each(ERAS)('a client of the %s era', (client) => {
    describe.each(ERAS)('before a server of the %s era', (upstream) => {
      let sides: Awaited<ReturnType<typeof openSides>>;

      beforeAll(async () => {
        const answering = (result: string): Parameters<typeof scripted.on>[1] => {
          const headers = { 'Content-Type': 'application/json' };
          return ({ respond, message }) => {
            const id = JSON.stringify(message?.id);
            respond({ headers, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` });
          };
        };
        scripted.on('tools/list', answering(`{"tools":[${ENTRY}]}`));
        scripted.on('tools/call', answering(resultOf(upstream)));
        const eras = { client, upstream };
        sides = await openSides(fixture, { name: `Odd ${client}`, url: scripted.url }, eras);
      });

      it('gets entries byte for byte, but for the name and one key of _meta', async () => {
        const { aggregate, integration } = sides;
        const expected = ENTRY.replace('"name":"odd"', `"name":"${integration.alias}__odd"`)
          .replace(
            '{ "a":0.1000',
            `{ "gatehouse/integration":${JSON.stringify(integration)},"a":0.1000`,
          )
          .replace(', "gatehouse/integration":"forged"', '');
        expect(entriesOf(await aggregate.answerTo('tools/list'), 'tools')).toEqual([expected]);
      });

      it('sends arguments and gets results byte for byte', async () => {
        const { aggregate, integration } = sides;
        const name = `${integration.alias}__odd`;
        const params = `{"name" : "${name}","arguments":${ARGUMENTS}, "unknown":1.50}`;
        const answer = await aggregate.answerTo('tools/call', params);
        const result = client === 'modern' && upstream === 'modern' ? resultOf('modern') : RESULT;
        const passed = client === upstream || client === 'legacy' ? answer : withoutEra(answer);
        expect(passed).toBe(`{"jsonrpc":"2.0","id":5,"result":${result}}`);
        const sent = scripted.received('tools/call').at(-1)?.request.body.toString();
        expect(sent).toContain(`"arguments":${ARGUMENTS}, "unknown":1.50`);
        expect(sent).toContain('"name" : "odd"');
      });
    });
  });
});

describe('messages that answer other requests', () => {
  const server = use(() => startScriptedServer('hostile'));
  const lines: string[] = [];
  const gateway = use(() => {
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    return startGateway(fixture.server.store, { log });
  });
  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${gateway.origin}/mcp/${applicationId}`;
    await attachOfEachEra(fixture, applicationId, server.url);
  });

  beforeEach(() => {
    lines.length = 0;
  });

  const FORGED = 'forged';
  const resultOf = (text: string) => `{"content":[{"type":"text","text":"${text}"}]}`;
  const ERROR = `{"code":-1,"message":"${FORGED}"}`;
  const idOf = ({ message }: Exchange) => JSON.stringify(message?.id);
  const progress = (token: string) =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"message":"${FORGED}"}}`;

  /** Messages that some client takes for the answer to its request 7, while request 5 is being answered. */
  const FOREIGN: readonly [string, (own: string) => string][] = [
    ['a result', () => `{"jsonrpc":"2.0","id":7,"result":${resultOf(FORGED)}}`],
    ['an error', () => `{"jsonrpc":"2.0","id":7,"error":${ERROR}}`],
    ['an id in a string', () => `{"jsonrpc":"2.0","id":"7","result":${resultOf(FORGED)}}`],
    ['an id with a fraction', () => `{"jsonrpc":"2.0","id":7.0,"result":${resultOf(FORGED)}}`],
    ['two ids', (own) => `{"jsonrpc":"2.0","id":7,"id":${own},"result":${resultOf(FORGED)}}`],
    [
      'an id in capitals',
      (own) => `{"jsonrpc":"2.0","id":${own},"ID":7,"result":${resultOf(FORGED)}}`,
    ],
    ['an escaped id', (own) => `{"\\u0069d":7,"id":${own},"result":${resultOf(FORGED)}}`],
    ['a method too', () => `{"jsonrpc":"2.0","id":7,"method":"ping","result":${resultOf(FORGED)}}`],
    ['a method in a list', () => `{"id":7,"result":{"method":"${FORGED}"}}`],
    ['a batch', (own) => `[{"id":${own},"result":{}},{"id":7,"result":${resultOf(FORGED)}}]`],
    ['the progress of another request', () => progress('7')],
    ['progress in another spelling', () => progress('7').replace('progressToken', 'ProgressToken')],
  ];

  /** What a client reads of the stream or body that answers its request. */
  async function answerTo(client: AggregateClient, alias: string, params: object = {}) {
    return client.ask('tools/call', { name: `${alias}__echo`, arguments: {}, ...params });
  }

  describe.each([
    ['legacy', 'both'],
    ['modern', 'both'],
    ['legacy', 'new'],
    ['modern', 'old'],
  ] as const)('a %s client of the integration "%s"', (era, alias) => {
    let client: AggregateClient;

    beforeAll(async () => {
      client = await openClient(url, fixture.server.owner, era);
    });

    it.each(FOREIGN)('gets its answer, and not %s in its stream', async (_, foreign) => {
      server.on('tools/call', async (exchange) => {
        exchange.startSse();
        await exchange.send(`data: ${foreign(idOf(exchange))}\n\n`);
        await exchange.send(
          `data: {"jsonrpc":"2.0","id":${idOf(exchange)},"result":${resultOf('own')}}\n\n`,
        );
        exchange.end();
      });
      const { text } = await answerTo(client, alias);
      expect(text).not.toContain(FORGED);
      expect(text).toContain('own');
    });

    it.each(FOREIGN)('gets an error for %s in a body of JSON', async (_, foreign) => {
      server.on('tools/call', (exchange) => {
        const headers = { 'Content-Type': 'application/json' };
        exchange.respond({ headers, body: foreign(idOf(exchange)) });
      });
      const { text, body } = await answerTo(client, alias);
      expect(text).not.toContain(FORGED);
      expect(body).toMatchObject({ id: 5, error: { data: { code: 'upstream_invalid' } } });
    });

    it('gets no end of a long answer to another request', async () => {
      server.on('tools/call', (exchange) => {
        const result = resultOf('x'.repeat(400_000));
        const headers = { 'Content-Type': 'application/json' };
        exchange.respond({ headers, body: `{"jsonrpc":"2.0","result":${result},"id":7}` });
      });
      const read = await answerTo(client, alias).catch(() => undefined);
      expect(read?.body?.result).toBeUndefined();
    });

    it('gets its answer once', async () => {
      server.on('tools/call', async (exchange) => {
        exchange.startSse();
        for (const text of ['first', FORGED]) {
          await exchange.send(
            `data: {"jsonrpc":"2.0","id":${idOf(exchange)},"result":${resultOf(text)}}\n\n`,
          );
        }
        exchange.end();
      });
      const { text } = await answerTo(client, alias);
      expect(text).toContain('first');
      expect(text).not.toContain(FORGED);
    });

    it('hears of the progress of the request that it has sent', async () => {
      server.on('tools/call', async (exchange) => {
        const token = JSON.stringify(
          JSON.parse(exchange.request.body.toString()).params._meta.progressToken,
        );
        exchange.startSse();
        await exchange.send(`data: ${progress(token).replace(FORGED, 'half')}\n\n`);
        await exchange.send(
          `data: {"jsonrpc":"2.0","id":${idOf(exchange)},"result":${resultOf('own')}}\n\n`,
        );
        exchange.end();
      });
      const { text } = await answerTo(client, alias, { _meta: { progressToken: 'mine' } });
      expect(text).toContain('"progressToken":"mine"');
      expect(text).toContain('half');
    });

    it('hears of nothing in lines that only some clients see', async () => {
      server.on('tools/call', async (exchange) => {
        exchange.startSse();
        await exchange.send(
          `: \u2028data: {"jsonrpc":"2.0","id":7,"result":${resultOf(FORGED)}}\n\n`,
        );
        exchange.end();
      });
      const { text } = await answerTo(client, alias);
      expect(text).not.toContain(FORGED);
      expect(text.split('"id":5')).toHaveLength(2);
    });
  });

  it('dropped messages are counted, and one line of an exchange is logged', async () => {
    const client = await openClient(url, fixture.server.owner, 'legacy');
    const before = await dropped();
    server.on('tools/call', async (exchange) => {
      exchange.startSse();
      for (const id of [6, 7, 8]) await exchange.send(`data: {"id":${id},"result":{}}\n\n`);
      await exchange.send(`data: {"jsonrpc":"2.0","id":${idOf(exchange)},"result":{}}\n\n`);
      exchange.end();
    });
    await answerTo(client, 'both');
    expect((await dropped()) - before).toBe(3);
    expect(lines.filter((line) => line.includes('not asked for'))).toHaveLength(1);
  });

  async function dropped(): Promise<number> {
    const text = await gateway.metrics.registry.metrics();
    const [, count] = /dropped_messages_total\{message="response"\} (\d+)/.exec(text) ?? [];
    return Number(count);
  }

  describe('a GET stream at the one URL', () => {
    it('has no responses, unless its client resumes the stream of a request', async () => {
      const client = await openClient(url, fixture.server.owner, 'legacy');
      await answerTo(client, 'both');
      const event = (id: string) =>
        `id: ${id}\ndata: {"jsonrpc":"2.0","id":7,"result":${resultOf(FORGED)}}\n\n`;
      const note = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n';
      server.on('GET', async (exchange) => {
        exchange.startSse();
        await exchange.send(`${event('1')}${note}`);
      });
      const stream = await client.send({ method: 'GET', headers: client.headers });
      expect(await stream.received('notifications/message')).not.toContain(FORGED);
      stream.abort();
      const [, attachmentId] = /"gatehouse\.([0-9a-f-]+)/.exec(await askedId(client)) ?? [];
      const headers = { ...client.headers, 'last-event-id': `${attachmentId}.0` };
      const resumed = await client.send({ method: 'GET', headers });
      expect(await resumed.received('notifications/message')).toContain(FORGED);
      resumed.abort();
    });
  });

  it('progress on a GET stream at the one URL passes for a request that the same integration has, and no other', async () => {
    const client = await openClient(url, fixture.server.owner, 'legacy');
    await answerTo(client, 'both');
    const asked = new Promise<Exchange>((resolve) => server.on('GET', resolve));
    const stream = await client.send({ method: 'GET', headers: client.headers });
    const onStream = await asked;
    onStream.startSse();
    const called = new Promise<Exchange>((resolve) => server.on('tools/call', resolve));
    const answer = answerTo(client, 'both', { _meta: { progressToken: 'mine' } });
    const call = await called;
    await onStream.send(`data: ${progress('"of-another"')}\n\n`);
    await onStream.send(`data: ${progress('"mine"').replace(FORGED, 'half')}\n\n`);
    expect(await stream.received('half')).not.toContain(FORGED);
    call.respondResult(JSON.parse(resultOf('own')));
    await answer;
    stream.abort();
  });

  /** The id of a request of the server, as its client knows it. */
  async function askedId(client: AggregateClient): Promise<string> {
    server.on('tools/call', async (exchange) => {
      exchange.startSse();
      await exchange.send('data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n');
      await exchange.send(`data: {"jsonrpc":"2.0","id":${idOf(exchange)},"result":{}}\n\n`);
      exchange.end();
    });
    return (await answerTo(client, 'both')).text;
  }
});
