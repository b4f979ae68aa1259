import { gzipSync } from 'node:zlib';
import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { startGateway, useFixture } from '../fixture.ts';
import {
  type AggregateClient,
  attachOfEachEra,
  newApplication,
  openClient,
} from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

describe('broken answers', () => {
  const CALL_DEADLINE = 1_500;
  const RESPONSE_BYTES = 600 * 1024;

  const server = use(() => startScriptedServer('any'));
  const gateway = use(() =>
    startGateway(fixture.server.store, {
      limits: { callDeadline: CALL_DEADLINE, responseBytes: RESPONSE_BYTES },
    }),
  );

  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${gateway.origin}/mcp/${applicationId}`;
    await attachOfEachEra(fixture, applicationId, server.url);
  });

  type Broken = (exchange: Exchange) => void | Promise<void>;

  const JSON_HEAD = { 'Content-Type': 'application/json' };
  const begun = ({ message }: Exchange) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(message?.id)},"result":{"content":[`;
  const dropSoon = ({ drop }: Exchange) => void setTimeout(drop, 20);
  const responded =
    (body: unknown, headers = JSON_HEAD): Broken =>
    ({ respond }) =>
      respond({ body, headers });
  const event = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 1 },
  };

  const BROKEN: readonly [string, string, Broken][] = [
    [
      'is cut',
      'upstream_unreachable',
      (exchange) => {
        exchange.sendHead(200, { ...JSON_HEAD, 'Content-Length': '1000' });
        void exchange.send(begun(exchange));
        dropSoon(exchange);
      },
    ],
    [
      'is cut without having stated its length',
      'upstream_unreachable',
      (exchange) => {
        exchange.sendHead(200, JSON_HEAD);
        void exchange.send(begun(exchange));
        dropSoon(exchange);
      },
    ],
    [
      'stalls',
      'upstream_timeout',
      (exchange) => {
        exchange.sendHead(200, JSON_HEAD);
        void exchange.send(begun(exchange));
      },
    ],
    [
      'stalls after its head',
      'upstream_timeout',
      ({ sendHead }) => sendHead(200, { ...JSON_HEAD, 'Content-Length': '1000' }),
    ],
    [
      'is declared too long',
      'upstream_response_too_large',
      ({ sendHead }) => sendHead(200, { ...JSON_HEAD, 'Content-Length': `${RESPONSE_BYTES + 1}` }),
    ],
    ['is not JSON', 'upstream_invalid', responded('{"jsonrpc":"2.0","result":{"content":[}}')],
    ['is empty', 'upstream_invalid', responded('')],
    ['is a page', 'upstream_invalid', responded('<html>', { 'Content-Type': 'text/html' })],
    [
      'has another media type',
      'upstream_invalid',
      ({ respond, message }) =>
        respond({
          body: JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: {} }),
          headers: { 'Content-Type': 'text/plain' },
        }),
    ],
    [
      'is for another id',
      'upstream_invalid',
      responded({ jsonrpc: '2.0', id: 'other', result: { content: [] } }),
    ],
    ['is no response', 'upstream_invalid', responded(event)],
    ['is a list of messages', 'upstream_invalid', responded([event])],
    ['is only a status', 'upstream_invalid', ({ respond }) => respond({ status: 202 })],
    [
      'is compressed although that was not accepted',
      'upstream_invalid',
      ({ respond, message }) =>
        respond({
          body: gzipSync(JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: {} })),
          headers: { ...JSON_HEAD, 'Content-Encoding': 'gzip' },
        }),
    ],
    [
      'is a compressed event stream',
      'upstream_invalid',
      ({ respond, message }) =>
        respond({
          body: gzipSync(
            `data: ${JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: {} })}\n\n`,
          ),
          headers: { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' },
        }),
    ],
    [
      'is JSON of another protocol with a status',
      'upstream_status',
      ({ respond }) => respond({ status: 400, body: { error: 'bad' } }),
    ],
  ];

  const BROKEN_STREAMS: readonly [string, Broken][] = [
    [
      'is cut after its head',
      (exchange) => {
        exchange.startSse();
        dropSoon(exchange);
      },
    ],
    [
      'is cut between two events',
      (exchange) => {
        exchange.startSse();
        void exchange.sendEvent({ data: event });
        dropSoon(exchange);
      },
    ],
    [
      'is cut within an event',
      (exchange) => {
        exchange.startSse();
        void exchange.sendEvent({ data: event });
        void exchange.send(`data: ${begun(exchange)}`);
        dropSoon(exchange);
      },
    ],
    [
      'ends',
      (exchange) => {
        exchange.startSse();
        void exchange.sendEvent({ data: event });
        exchange.end();
      },
    ],
    [
      'ends without a blank line',
      (exchange) => {
        exchange.startSse();
        void exchange.send(`data: ${JSON.stringify(event)}`);
        exchange.end();
      },
    ],
    [
      'ends after the answer to another request',
      (exchange) => {
        exchange.startSse();
        void exchange.sendEvent({ data: { jsonrpc: '2.0', id: 'other', result: {} } });
        exchange.end();
      },
    ],
  ];

  const SERVER_ERROR =
    '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}';

  const messagesIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('data: {"'))
      .map((line) => JSON.parse(line.slice('data: '.length)));

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

    it.concurrent.each(BROKEN)('learns of an answer that %s: %s', async (name, code, broken) => {
      const { status, message } = await callBroken(client, alias, name, broken);
      const { id, error } = message;
      expect({ status, id, error: error?.code, code: error?.data?.code }).toEqual({
        status: 200,
        id: 5,
        error: -31005,
        code,
      });
    });

    it.each(BROKEN_STREAMS)('learns of an event stream that %s', async (name, broken) => {
      const { status, message } = await callBroken(client, alias, name, broken);
      expect({ status, id: message.id, error: message.error?.data?.code }).toEqual({
        status: 200,
        id: 5,
        error: 'upstream_unreachable',
      });
    });

    it('has its answer although the stream is cut after it', async () => {
      const { messages } = await callBroken(client, alias, 'late cut', (exchange) => {
        exchange.startSse();
        const result = { content: [{ type: 'text', text: '"method"' }] };
        const { id } = exchange.message ?? {};
        void exchange.sendEvent({ data: event });
        void exchange.sendEvent({ data: { jsonrpc: '2.0', id, result } });
        void exchange.send('data: {');
        dropSoon(exchange);
      });
      expect(messages.filter(({ id }) => id === 5)).toEqual([
        expect.objectContaining({ result: expect.anything() }),
      ]);
    });

    it.each([20, 100, 300, 500])('has an answer of %i KiB in pieces', async (kibibytes) => {
      const padding = 'x'.repeat(kibibytes * 1024);
      const { body } = await callBroken(client, alias, 'pieces', async (exchange) => {
        exchange.sendHead(200, JSON_HEAD);
        await exchange.send(begun(exchange));
        await exchange.send(`{"type":"text","text":"${padding}`);
        await exchange.send('é"}]}}');
        exchange.end();
      });
      expect(body.result.content[0].text).toBe(`${padding}é`);
    });
  });

  describe.each(['legacy', 'modern'] as const)('a stream to a %s client', (era) => {
    it.each<[string, (id: string) => string]>([
      ['without a version', (id) => `{"id":${id},"result":{}}`],
      ['of another version', (id) => `{"jsonrpc":"1.0","id":${id},"result":{}}`],
      ['with a result that is no object', (id) => `{"jsonrpc":"2.0","id":${id},"result":[]}`],
      ['with an error that has no code', (id) => `{"jsonrpc":"2.0","id":${id},"error":{}}`],
      ['in a batch', (id) => `[{"jsonrpc":"2.0","id":${id},"result":{}}]`],
      ['with the id "server-error"', () => SERVER_ERROR],
    ])('ends with an error after a response %s', async (name, textOf) => {
      const client = await openClient(url, fixture.server.owner, era);
      const { message } = await callBroken(client, 'both', name, (exchange) => {
        exchange.startSse();
        void exchange.send(`data: ${textOf(JSON.stringify(exchange.message?.id))}\n\n`);
        exchange.end();
      });
      expect({ id: message.id, code: message.error?.data?.code }).toEqual({
        id: 5,
        code: 'upstream_unreachable',
      });
    });

    it('ends as it came after an error without an id', async () => {
      const error = `data: ${SERVER_ERROR.replace('"server-error"', 'null')}\n\n`;
      const client = await openClient(url, fixture.server.owner, era);
      const { text } = await callBroken(client, 'both', 'without an id', (exchange) => {
        exchange.startSse();
        void exchange.send(error);
        exchange.end();
      });
      expect(text).toBe(error);
    });
  });

  describe('a stream that ends after an event with an id', () => {
    const resumable: Broken = (exchange) => {
      exchange.startSse();
      void exchange.sendEvent({ id: '7', data: '' });
      exchange.end();
    };

    it('ends for a legacy client too, which resumes it', async () => {
      const client = await openClient(url, fixture.server.owner, 'legacy');
      const { text } = await callBroken(client, 'both', 'resumed', resumable);
      expect(text).toMatch(/^id: [0-9a-f-]{36}\.7\ndata: \n\n$/);
    });

    it('ends with an error for a modern client, which cannot resume it', async () => {
      const client = await openClient(url, fixture.server.owner, 'modern');
      const { text } = await callBroken(client, 'both', 'resumed', resumable);
      expect(text).toContain('upstream_unreachable');
    });
  });

  it('an answer in JSON-RPC keeps its status, and an error may be without an id', async () => {
    const error = { code: -32020, message: 'Headers differ' };
    const client = await openClient(url, fixture.server.owner, 'modern');
    const { status, body } = await callBroken(client, 'both', 'status', ({ respond }) =>
      respond({ status: 400, body: { jsonrpc: '2.0', id: null, error } }),
    );
    expect({ status, body }).toEqual({ status: 400, body: { jsonrpc: '2.0', id: null, error } });
  });

  const broken = new Map<string, Broken>();

  /** Calls a tool that answers like this: several calls may be on their way. @returns also the last message of a stream */
  async function callBroken(client: AggregateClient, alias: string, name: string, handler: Broken) {
    broken.set(name, handler);
    server.on('tools/call', (exchange) => {
      const { params } = JSON.parse(exchange.request.body.toString());
      return broken.get(params.arguments.name)?.(exchange);
    });
    const replied = await client.call(`${alias}__echo`, { name });
    const messages = replied.body === undefined ? messagesIn(replied.text) : [replied.body];
    return { ...replied, messages, message: messages.at(-1) };
  }
});

describe('slow clients', () => {
  const server = use(() => startScriptedServer('any'));

  const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' } as const;

  const EVENTS = 512;
  const EVENT = {
    method: 'notifications/message',
    params: { level: 'error', data: 'x'.repeat(64 * 1024) },
  };

  /** Bytes that may be on their way in the sockets of all sides, and in the gateway. */
  const ON_THE_WAY = 16 * 1024 * 1024;

  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${fixture.server.origin}/mcp/${applicationId}`;
    for (const era of ['legacy', 'modern'] as const) {
      const at = `${server.url}/${era}`;
      const id = await fixture.integrate({ name: era, url: at });
      const spokenEras = { url: at, legacy: null, modern: null, [era]: VERSIONS[era] };
      await fixture.server.store.db.integration.update({ where: { id }, data: { spokenEras } });
      await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    }
  });

  async function streamAll(exchange: Exchange): Promise<void> {
    exchange.startSse();
    for (let count = 0; count < EVENTS; count += 1) {
      await exchange.sendEvent({ data: { jsonrpc: '2.0', ...EVENT } });
    }
    await exchange.sendEvent({ data: { jsonrpc: '2.0', id: exchange.message?.id, result: {} } });
    exchange.end();
  }

  describe.each([
    ['legacy', 'legacy'],
    ['modern', 'modern'],
    ['legacy', 'modern'],
  ] as const)('a %s client that does not read', (client, upstream) => {
    it(`slows down a stream of a ${upstream} integration, and gets all of it once it reads`, async () => {
      let exchange: Exchange | undefined;
      server.on('tools/call', (received) => {
        exchange = received;
        return streamAll(received);
      });
      const { headers, send } = await openClient(url, fixture.server.owner, client);
      const params = { name: `${upstream}__echo`, arguments: {} };
      const body = { jsonrpc: '2.0', id: 5, method: 'tools/call', params };
      const isModern = client === 'modern';
      const { stream } = await send(
        isModern ? modernRequest('tools/call', params) : { headers, body },
      );
      let previous = -1;
      for (let still = 0; still < 5; still += 1) {
        const sent = exchange?.sentBytes ?? 0;
        if (sent !== previous) still = 0;
        previous = sent;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(previous).toBeGreaterThan(0);
      expect(previous).toBeLessThan(ON_THE_WAY);
      let size = 0;
      for await (const chunk of stream) size += chunk.length;
      expect(size).toBeGreaterThan(EVENTS * EVENT.params.data.length);
    });
  });
});
