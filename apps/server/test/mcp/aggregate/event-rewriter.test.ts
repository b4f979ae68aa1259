import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withIds } from '../../../src/mcp/aggregate/event-rewriter.ts';
import { EventReader } from '../../../src/mcp/sse/event-reader.ts';

const CHANGES = {
  eventId: (id: string) => `e.${id}`,
  requestId: (id: string) => `"r.${btoa(id)}"`,
};

/** What comes out of a stream that arrives in these pieces. */
function rewrite(...pieces: readonly (string | Buffer)[]): string {
  const reader = new EventReader(1024 * 1024);
  const events = pieces.flatMap((piece) => reader.feed(Buffer.from(piece)));
  const changed = events.map((event) => withIds(event, CHANGES));
  return Buffer.concat([...changed, reader.end()]).toString();
}

const REQUEST =
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"elicitation/create","params":{}}';
const CHANGED = REQUEST.replace('12345678901234567890', `"r.${btoa('12345678901234567890')}"`);

describe('an event stream', () => {
  it.each([
    ['a request of the server', `data: ${REQUEST}\n\n`, `data: ${CHANGED}\n\n`],
    ['an event with an id', 'id: 7\ndata: {}\n\n', 'id: e.7\ndata: {}\n\n'],
    ['an id without a blank before it', 'id:7\n\n', 'id: e.7\n\n'],
    ['an empty id', 'id: \ndata:\n\n', 'id: e.\ndata:\n\n'],
    [
      'lines that end with CR and LF',
      `id: 7\r\ndata: ${REQUEST}\r\n\r\n`,
      `id: e.7\r\ndata: ${CHANGED}\r\n\r\n`,
    ],
    ['lines that end with CR', 'id: 7\rdata: {}\r\r', 'id: e.7\rdata: {}\r\r'],
    [
      'a request in several lines of data',
      `data: {"jsonrpc":"2.0",\r\nid: 7\r\ndata:"id":\rdata: 12345678901234567890 ,\ndata: "method":"ping"}\n\n`,
      `data: {"jsonrpc":"2.0",\r\nid: e.7\r\ndata:"id":\rdata: "r.${btoa('12345678901234567890')}" ,\ndata: "method":"ping"}\n\n`,
    ],
    [
      'a request with escapes in its keys',
      `data: ${REQUEST.replace('"method"', '"m\\u0065thod"')}\n\n`,
      `data: ${CHANGED.replace('"method"', '"m\\u0065thod"')}\n\n`,
    ],
    ['an event after a comment', `: hello\ndata: ${REQUEST}\n\n`, `: hello\ndata: ${CHANGED}\n\n`],
  ])('has other ids in %s', (_, before, after) => {
    expect(rewrite(before)).toBe(after);
  });

  it.each([
    ['a response', 'data: {"jsonrpc":"2.0","id":1,"result":{"method":"x"}}\n\n'],
    [
      'a notification',
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"id":1}}\n\n',
    ],
    ['a comment', ': keep-alive\n\n'],
    ['what is not JSON', 'data: "method" {\n\n'],
    ['two messages in one event', `data: ${REQUEST}\ndata: ${REQUEST}\n\n`],
    ['an event that does not end', `data: ${REQUEST}\n`],
  ])('passes %s as it is', (_, event) => {
    expect(rewrite(event)).toBe(event);
  });

  it('passes an event of more than 1 MiB in pieces as it comes, and looks into the next', () => {
    const long = `data: {"id":1,"method":"${'x'.repeat(1024 * 1024)}"}`;
    const rest = `\n\ndata: ${REQUEST}\n\n`;
    expect(rewrite(long, rest)).toBe(long + rest.replace(REQUEST, CHANGED));
  });

  it('comes out the same in whatever pieces it arrives', () => {
    const event = fc.constantFrom(
      ...[
        `data: ${REQUEST}\n\n`,
        'id: 7\r\ndata: {}\r\n\r\n',
        `${REQUEST.replaceAll(/^|(?<=,)/g, '\ndata: ').slice(1)}\n\n`,
        ': c\n\n',
        'id: é\rdata: "ü"\r\r',
        '\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(200)), (events, cuts) => {
        const whole = Buffer.from(events.join(''));
        const at = [...new Set(cuts.filter((cut) => cut < whole.length))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length));
        expect(rewrite(...pieces)).toBe(rewrite(whole));
      }),
      { numRuns: 500, seed: 26 },
    );
  });
});
