import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventMessages } from '../../../src/mcp/translation/event-messages.ts';
import { FROM_SERVER } from '../../../src/mcp/translation/shapes.ts';

function read(text: string, size: number) {
  const got: string[] = [];
  const events = new EventMessages(FROM_SERVER, {
    message: ({ bytes }) => got.push(bytes.toString()),
    comment: () => got.push('comment'),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) events.feed(bytes.subarray(at, at + size));
  return { got, events };
}

const STREAM = [
  'id: a-1\nretry: 250\ndata: \n\n',
  'event: message\ndata: {"id":1.50e+3}\nid: a-2\n\n',
  ': keep-alive\n\n',
  'data: {"id":1,\ndata: "é":2}\r\n\r\n',
  'data: no JSON\n\n',
  'data: [1]\n\n',
  'data: {"id":2}\n',
].join('');

it('finds the messages of a stream, however it is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
      const { got, events } = read(STREAM, size);
      expect(got).toEqual(['{"id":1.50e+3}', 'comment', '{"id":1,\n"é":2}']);
      expect([events.lastEventId, events.retry]).toEqual(['a-2', 250]);
      expect(events.size).toBe(Buffer.byteLength('{"id":2}'));
    }),
  );
});

it('keeps the bytes of an id in another script, and no id that a header cannot carry', () => {
  const { events } = read('id: 日本\n\nid: a\u0001b\n\n', 100);
  expect(events.lastEventId).toBe(Buffer.from('日本').toString('latin1'));
});
