import { describe, expect, it } from 'vitest';
import type { Envelope, Message } from '../../../src/mcp/envelope/message.ts';
import { readEnvelope, readLongEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import { hidingBodies, hostileBodies, oddBodies } from './hostile-bodies.ts';

const read = (text: string) => readEnvelope(Buffer.from(text));

const NOTHING: Message = {
  fault: undefined,
  id: undefined,
  idAt: undefined,
  method: undefined,
  name: undefined,
  nameAt: undefined,
  uri: undefined,
  ref: undefined,
  hasTask: false,
  resourceSubscriptions: [],
  protocolVersion: undefined,
  progressToken: undefined,
};

/** Why rules cannot be applied to a body. */
function faultOf(envelope: Envelope) {
  if (envelope.kind === 'unreadable') return envelope.reason;
  return envelope.kind === 'message' ? envelope.message.fault : undefined;
}

/** A message, as what differs from an empty one. */
const message = (fields: Partial<Message>) => ({
  kind: 'message',
  message: { ...NOTHING, ...fields },
});

/** Where an id is in a text of ASCII. */
function placeOf(text: string, id: string) {
  const start = text.indexOf(`"id":${id}`) + '"id":'.length;
  return { start, end: start + id.length };
}

describe('an envelope', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: '1', method: 'ping' }],
    ['{"id":1.50e+3,"method":"a","params":{}}', { id: '1.50e+3', method: 'a' }],
    ['{"id":12345678901234567890,"method":"a"}', { id: '12345678901234567890', method: 'a' }],
    ['{"id":"\\u0061\\"}{","method":"a"}', { id: '"\\u0061\\"}{"', method: 'a' }],
    ['{"id":null,"method":"a"}', { id: 'null', method: 'a' }],
    ['{"method":"notifications/x","params":{"uri":7}}', { method: 'notifications/x' }],
    ['{"id":1,"result":{"name":"x"}}', { id: '1' }],
    ['{}', {}],
    [
      '{"id":1,"method":"tools/call","params":{"name":"a","task":{"ttl":1}}}',
      {
        id: '1',
        method: 'tools/call',
        name: 'a',
        nameAt: { start: 47, end: 50 },
        hasTask: true,
      },
    ],
    [
      '{"id":1,"method":"resources/read","params":{"uri":"file:///\\u00e9"}}',
      { id: '1', method: 'resources/read', uri: 'file:///é' },
    ],
    [
      '{"id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"}}}',
      {
        id: '1',
        method: 'completion/complete',
        ref: { type: 'ref/prompt', name: 'p', nameAt: { start: 83, end: 86 }, uri: undefined },
      },
    ],
    [
      '{"method":"completion/complete","params":{"ref":{"type":"ref/other"}}}',
      {
        method: 'completion/complete',
        ref: { type: 'ref/other', name: undefined, nameAt: undefined, uri: undefined },
      },
    ],
    [
      '{"method":"tools/list","params":{"_meta":{"a":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
      { method: 'tools/list', protocolVersion: '2026-07-28' },
    ],
    [
      '{"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:1","a:2"]}}}',
      { method: 'subscriptions/listen', resourceSubscriptions: ['a:1', 'a:2'] },
    ],
    [
      '{"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":null}}}',
      { method: 'subscriptions/listen' },
    ],
  ])('of %s', (text, fields: Partial<Message>) => {
    const { id } = fields;
    const idAt = id === undefined ? undefined : placeOf(text, id);
    expect(read(text)).toEqual(message({ ...fields, idAt }));
  });

  it('has the URIs of every subscription that some parser may read', () => {
    const text =
      '{"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:1"]},"Notifications":{"resourceSubscriptions":["a:2"],"ResourceSubscriptions":["a:3"]}}}';
    const { resourceSubscriptions } = message({
      resourceSubscriptions: ['a:1', 'a:2', 'a:3'],
    }).message;
    expect(read(text)).toMatchObject({ message: { resourceSubscriptions } });
  });

  it('of a batch has its messages', () => {
    const text = '[{"id":1,"method":"a"},{"method":"n"}, {"id":2,"result":{}}]';
    expect(read(text)).toEqual({
      kind: 'batch',
      messages: [
        { ...NOTHING, id: '1', idAt: placeOf(text, '1'), method: 'a' },
        { ...NOTHING, method: 'n' },
        { ...NOTHING, id: '2', idAt: placeOf(text, '2') },
      ],
    });
    expect(read('[]')).toEqual({ kind: 'batch', messages: [] });
    expect(read('[{}]')).toMatchObject({ kind: 'batch' });
  });

  it.each(hostileBodies)('is unreadable, or lacks something, with $title', async ({ body }) => {
    expect(faultOf(readEnvelope(body))).toEqual(expect.any(String));
    expect(await readLongEnvelope(body)).toEqual(readEnvelope(body));
  });

  it('may be a call unless it has only other methods', () => {
    const calling = hostileBodies.filter(({ body }) => {
      const envelope = readEnvelope(body);
      return envelope.kind === 'unreadable' && envelope.mayCall;
    });
    expect(calling).toEqual(hidingBodies);
  });

  it.each(oddBodies)('is read despite $title', async ({ body }) => {
    expect(readEnvelope(body)).toMatchObject({
      message: { method: 'tools/call', name: 'allowed' },
    });
    expect(await readLongEnvelope(body)).toEqual(readEnvelope(body));
  });

  it.each([
    ['{"id":1,"id":2}', 'The key "id" is repeated.'],
    ['{"ID":1}', 'A key differs from "id" only in case or by U+0000.'],
    ['{', 'The body is not JSON.'],
    ['[[]]', 'A batch is inside a batch.'],
    ['{"method":"tools/call"}', 'params.name must be a string of at most 16 KiB.'],
    [
      '{"method":"tools/call","params":{"name":7}}',
      'params.name must be a string of at most 16 KiB.',
    ],
  ])('of %s says why rules cannot be applied to it', (text, reason) => {
    expect(faultOf(read(text))).toBe(reason);
  });

  it('is bounded', () => {
    const long = 'x'.repeat(16 * 1024);
    const named = (name: string) => read(`{"method":"tools/call","params":{"name":"${name}"}}`);
    expect(named(long)).toMatchObject({ message: { name: long } });
    expect(named(`${long}x`)).toMatchObject({ kind: 'unreadable' });
    expect(read(`[${Array(1_000).fill('{}')}]`)).toMatchObject({ kind: 'batch' });
    expect(read(`[${Array(1_001).fill('{}')}]`)).toMatchObject({ kind: 'unreadable' });
    const listen = (uris: number) =>
      read(
        `{"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[${Array(uris).fill('"a:b"')}]}}}`,
      );
    expect(listen(1_000)).toMatchObject({ kind: 'message' });
    expect(faultOf(listen(1_001))).toEqual(expect.any(String));
  });

  it('of a long body lets others go on', async () => {
    const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const params = { name: 'a', arguments: { rows } };
    const body = Buffer.from(JSON.stringify({ id: 1, method: 'tools/call', params }));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect(await readLongEnvelope(body)).toMatchObject({ message: { name: 'a' } });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(Math.floor(body.length / (256 * 1024)));
  });
});
