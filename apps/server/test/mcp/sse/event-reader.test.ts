import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  EventReader,
  fieldOf,
  placeOfData,
  type StreamEvent,
} from '../../../src/mcp/sse/event-reader.ts';

const LIMIT = 1024 * 1024;

/** A stream that is read from these chunks, with what is left at its end. */
function read(chunks: readonly Buffer[], limit = LIMIT) {
  const reader = new EventReader(limit);
  const events = chunks.flatMap((chunk) => reader.feed(chunk));
  return { events, rest: reader.end() };
}

/** What the lines of an event say, without the parts of line endings that chunks have torn apart. */
function saidBy({ start, bytes, lines }: StreamEvent): string[][] {
  return lines
    .filter(({ kind }) => kind !== 'rest')
    .map(({ kind, value, valueEnd }) => [
      kind,
      bytes.toString('utf8', value - start, valueEnd - start),
    ]);
}

const said = (events: readonly StreamEvent[]) => events.map(saidBy).filter(({ length }) => length);

/** A parser after the letter of WHATWG HTML section 9.2.6. */
function parsed(text: string): { readonly data: string | undefined; readonly id: string }[] {
  const dispatched = [];
  let [data, id] = ['', ''];
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .slice(0, -1)) {
    const colon = line.indexOf(':');
    if (line === '') {
      if (data !== '') dispatched.push({ data: data.slice(0, -1), id });
      data = '';
    }
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data += `${value}\n`;
    if (name === 'id' && !value.includes('\0')) id = value;
  }
  return dispatched;
}

const piece = fc.constantFrom(
  ...[
    'data',
    'event',
    'id',
    'retry',
    'dat',
    'datas',
    'events',
    ':',
    ': ',
    '  ',
    'x',
    'é',
    '{"a":1}',
  ],
  'y'.repeat(70),
  'z'.repeat(700),
);
const line = fc.oneof(
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
  fc.constantFrom(
    'data: 1',
    'data:',
    'data',
    'id: 7',
    'id',
    'id: 7\0',
    'event: message',
    'retry: 10',
    ': c',
    '',
  ),
);
const stream = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 }),
  )
  .map(([mark, lines]) => Buffer.from(mark + lines.map((parts) => parts.join('')).join('')));

function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

describe('reading the events of a stream', () => {
  it('finds the same events in whatever chunks the bytes arrive, and loses no byte', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400)), (bytes, cuts) => {
        const whole = read([bytes]);
        const bytewise = [...bytes].map((byte) => Buffer.of(byte));
        for (const chunks of [chunksOf(bytes, cuts), bytewise]) {
          const { events, rest } = read(chunks);
          deepStrictEqual(said(events), said(whole.events));
          deepStrictEqual(Buffer.concat([...events.map((event) => event.bytes), rest]), bytes);
        }
      }),
      { numRuns: 1000, seed: 41 },
    );
  });

  it('gives data and ids as the standard says', () => {
    let last = '';
    fc.assert(
      fc.property(stream, (bytes) => {
        last = '';
        const found = read([bytes]).events.flatMap((event) => {
          const id = fieldOf(event, 'id');
          last = id === undefined ? last : Buffer.from(id, 'latin1').toString();
          const data = dataOf(event);
          return data === undefined ? [] : [{ data: data.toString(), id: last }];
        });
        deepStrictEqual(found, parsed(bytes.toString()));
      }),
      { numRuns: 1000, seed: 42 },
    );
  });

  it.each(['日本', 'a\tb'])('returns the event id %j in the bytes that came', (id) => {
    const [event] = read([Buffer.from(`id: ${id}\ndata: 1\n\n`)]).events;
    const header = new Headers({ 'last-event-id': (event && fieldOf(event, 'id')) ?? '' });
    expect(Buffer.from(header.get('last-event-id') ?? '', 'latin1').toString()).toBe(id);
  });

  it('says where each byte of the data is in the event', () => {
    const [event] = read([Buffer.from('id: 1\ndata:ab\r\n: c\ndata\rdata: de\n\n')]).events;
    const data = event && dataOf(event);
    expect(data?.toString()).toBe('ab\n\nde');
    const letters = [0, 1, 4, 5].map((at) => event?.bytes[placeOfData(event, at)]);
    expect(Buffer.from(letters.map((letter) => letter ?? 0)).toString()).toBe('abde');
  });

  it('returns a comment at once, and an event with its blank line', () => {
    const reader = new EventReader(LIMIT);
    const parts = [
      ': ping\n',
      '\n',
      'id: 1\n',
      ': x\n',
      'data: 1\r',
      '\n',
      '\r',
      '\n',
      'data: 2\r\n\r\n',
    ];
    const got = parts.map((part) => reader.feed(Buffer.from(part)).map(({ bytes }) => `${bytes}`));
    expect(got).toEqual([
      [': ping\n'],
      ['\n'],
      [],
      [],
      [],
      [],
      ['id: 1\n: x\ndata: 1\r\n\r'],
      ['\n'],
      ['data: 2\r\n\r\n'],
    ]);
  });

  it('passes on an event of more than its limit in pieces without lines, and reads the next', () => {
    const chunks = ['data: 123\n', 'data: 45', '67\n', '\nid: 1\n\n'].map((text) =>
      Buffer.from(text),
    );
    const { events } = read(chunks, 12);
    expect(events.map(({ bytes, lines, isWhole }) => [`${bytes}`, lines.length, isWhole])).toEqual([
      ['data: 123\ndata: 45', 0, false],
      ['67\n', 0, false],
      ['\n', 0, false],
      ['id: 1\n\n', 2, true],
    ]);
  });

  it.each(['\n', '\r', '\r\n', 'x\r', 'x\n', `${'x'.repeat(100)}\r`])(
    'takes time in proportion to the bytes where lines are %j',
    (text) => {
      const size = LIMIT;
      const chunk = Buffer.alloc(size, text);
      const start = process.cpuUsage();
      new EventReader(2 * size).feed(chunk);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(2000);
    },
  );
});
