import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventListFilter } from '../../../src/mcp/list-filter/event-filter.ts';
import { STEP } from '../../../src/mcp/list-filter/options.ts';
import { responseText } from './arbitrary.ts';
import { feed, filterEvents, filtered, run, runInSteps, splitsOf, withoutX } from './support.ts';

const MIB = 1024 * 1024;
const LIST = '{"result":{"tools":[{"name":"a"},{"name":"x"}]}}';
const CUT = '{"result":{"tools":[{"name":"a"}]}}';

interface Event {
  readonly data: string;
  readonly others: readonly string[];
}

/** The events of a stream by WHATWG HTML section 9.2.6; what is no data stays as it is. */
function eventsOf(text: string): Event[] {
  const blocks = text.replace(/^\uFEFF/, '').split(/(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/);
  return blocks.map((block) => {
    const lines = block.split(/\r\n|\n|\r/);
    const isData = (line: string) => /^data(:|$)/.test(line);
    const values = lines.filter(isData).map((line) => line.replace(/^data:? ?/, ''));
    return { data: values.join('\n'), others: lines.filter((line) => !isData(line)) };
  });
}

const field = fc.constantFrom(
  'id: 7',
  'event: message',
  ': comment',
  'retry: 10',
  'data',
  'dat: x',
  'datax',
  'x',
);
/** An event with data over several lines, among other lines. */
const event = fc
  .tuple(
    fc.array(field, { maxLength: 2 }),
    responseText,
    fc.array(field, { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([before, text, after, hasBlank]) => [
    ...before,
    ...text
      .split(/\r|\n/)
      .map((line) => `data:${hasBlank ? ' ' : line.startsWith(' ') ? ' ' : ''}${line}`),
    ...after,
  ]);
const stream = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: fc.array(field) }), {
      maxLength: 3,
    }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(
    ([events, eol, mark]) =>
      `${mark}${events.map((lines) => [...lines, '', ''].join(eol)).join('')}`,
  );

const isJson = (text: string) => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

describe('a list in an event stream', () => {
  it.each([
    [`data: ${LIST}\n\n`, `data: ${CUT}\n\n`],
    [`data:${LIST}\n\n`, `data: ${CUT}\n\n`],
    [`data: ${LIST}\r\n\r\n`, `data: ${CUT}\r\n\r\n`],
    [`data: ${LIST}\r\r`, `data: ${CUT}\r\r`],
    [`\uFEFFdata: ${LIST}\n\n`, `\uFEFFdata: ${CUT}\n\n`],
    [`id: 1\ndata: ${LIST}\nevent: message\n\n`, `id: 1\ndata: ${CUT}\nevent: message\n\n`],
    [`: ping\n\ndata: ${LIST}\n: x\n\ndata: 1\n\n`, `: ping\n\ndata: ${CUT}\n: x\n\ndata: 1\n\n`],
    [
      `data: {"result":\ndata: {"tools":[\nid: 1\ndata:{"name":"x"}\ndata\ndata: ]}}\n\n`,
      'data: {"result": {"tools":[   ]}}\nid: 1\n\n',
    ],
    [`data: ${LIST}`, `data: ${CUT}`],
  ])('of %j becomes %j', (text, expected) => {
    for (const chunks of splitsOf(Buffer.from(text))) {
      expect(run(new EventListFilter(withoutX), chunks)).toMatchObject({ text: expected });
    }
  });

  it.each([
    `data:   ${CUT} \n\n`,
    `data: {"result":\r\ndata:{"tools":[] }\r\ndata: }\r\nid:  5\r\n\r\n`,
    'event: endpoint\ndata: /messages?{"result"\n\n',
    'id: 1\nretry: 5\ndata:\n\n',
    'data\n\n: comment\n\n\n\n\r\n\r\r',
    `datax: ${LIST}\n\ndat: ${LIST}\n\n data: ${LIST}\n\nDATA: ${LIST}\n\n: ${LIST}\n\n`,
    'id: 1',
    '',
  ])('is left byte for byte in %j', (text) => {
    for (const chunks of splitsOf(Buffer.from(text))) {
      expect(run(new EventListFilter(withoutX), chunks)).toMatchObject({ text });
    }
  });

  it('is what filtering the parsed data gives; all else stays', () => {
    let cuts = 0;
    fc.assert(
      fc.property(stream, (text) => {
        const events = eventsOf(text);
        fc.pre(events.every(({ data }) => isJson(data) || data.trim() === ''));
        const outcome = filterEvents(text);
        if ('fault' in outcome) throw new Error(outcome.fault);
        cuts += outcome.text === text ? 0 : 1;
        const found = eventsOf(outcome.text);
        deepStrictEqual(
          found.map(({ others }) => others),
          events.map(({ others }) => others),
        );
        events.forEach(({ data }, index) => {
          if (data.trim() === '') return;
          const { data: sent = '' } = found[index] ?? {};
          deepStrictEqual(JSON.parse(sent), filtered(JSON.parse(data), withoutX));
        });
      }),
      { numRuns: 250, seed: 47 },
    );
    expect(cuts).toBeGreaterThan(50);
  });

  it('is the same wherever the stream is cut into chunks', () => {
    fc.assert(
      fc.property(stream, (text) => {
        const whole = filterEvents(text);
        for (const chunks of splitsOf(Buffer.from(text))) {
          deepStrictEqual(run(new EventListFilter(withoutX), chunks), whole);
        }
      }),
      { numRuns: 8, seed: 53 },
    );
  });

  it('is the same wherever a step of reading ends', () => {
    const text = `id: 1\r\ndata: ${LIST}\r\n\r\ndata: 1\n\n`;
    for (let at = 0; at <= text.length; at += 1) {
      const comment = `:${' '.repeat(STEP - at)}\n\n`;
      const sent = runInSteps(new EventListFilter(withoutX), `${comment}${text}`);
      expect(sent).toBe(`${comment}${text.replace(LIST, CUT)}`);
    }
  });

  it('is sent at the end of its event, a comment at once', () => {
    const filter = new EventListFilter(withoutX);
    const parts = [
      ': ping\n',
      '\n',
      'id: 1\n',
      ': x\n',
      `data: ${CUT}\n`,
      '\n',
      'data: 1\r\r',
      '\n',
    ];
    const sent = parts.map((part) => feed(filter, part).bytes.toString());
    expect(sent).toEqual([
      ': ping\n',
      '\n',
      '',
      '',
      '',
      `id: 1\n: x\ndata: ${CUT}\n\n`,
      'data: 1\r\r',
      '\n',
    ]);
  });

  it.each([
    ['two names', 'data: {"result":{"tools":[{"name":"a","name":"x"}]}}\n\n', 'ambiguous'],
    ['data that is not JSON', 'data: {"result":{}} x\n\n', 'unreadable'],
    ['data that ends too soon', 'data: {"result":{"tools":[{"name":"a"}\n\n', 'unreadable'],
    ['no blank line and data that ends too soon', 'data: {"result":{"tools":[', 'unreadable'],
  ])('ends with %s, after the events before it', (_title, text, fault) => {
    const outcome = filterEvents(`data: 1\n\n${text}data: 2\n\n`);
    expect(outcome).toMatchObject({ fault, sent: 'data: 1\n\n' });
  });

  const ENDS = ['\v', '\f', '\x1c', '\x1d', '\x1e', '\u0085', '\u2028', '\u2029'];
  it.each([
    ['a comment', `: x@data: ${LIST}`],
    ['a field', `id: 1@data: ${LIST}`],
    ['an unknown field', `x@data: ${LIST}`],
    ['a line that begins like data', `data@: ${LIST}`],
    ['a line that begins with it', `@data: ${LIST}`],
    ['data that is no JSON', `data: x@@data: ${LIST}`],
    ['data that is no JSON, with blanks after it', `data: x@  DATA: ${LIST}`],
    ['no value', `data:@data: ${LIST}`],
  ])('ends with a line that some clients see in %s', (_title, line) => {
    for (const end of ENDS) {
      const text = `${line.replaceAll('@', end)}\n\n`;
      for (const chunks of splitsOf(Buffer.from(text))) {
        const outcome = run(new EventListFilter(withoutX), chunks);
        expect(outcome, JSON.stringify(text)).toEqual({ fault: 'unreadable', sent: '' });
      }
    }
  });

  it('ends with data that some clients see in a string of other data', () => {
    for (const end of ['\u0085', '\u2028', '\u2029']) {
      const text = `data: {"a":"${end}${end}data: {}"}\n\n`;
      for (const chunks of splitsOf(Buffer.from(text)))
        expect(run(new EventListFilter(withoutX), chunks)).toMatchObject({ sent: '' });
    }
  });

  it('passes strings in which some clients see the end of a line, and no data', () => {
    const text = 'data: {"a":"x\u2028y\u2029 \u0085dat a café data: à data\u2028"}\n\n';
    for (const chunks of splitsOf(Buffer.from(text)))
      expect(run(new EventListFilter(withoutX), chunks)).toEqual({ text, sent: text });
  });

  it('holds an event and a copy of its data, and counts both', () => {
    const filter = new EventListFilter(withoutX);
    const data = `{"result":{"content":"${'y'.repeat(MIB)}`;
    feed(filter, `data: ${data}`);
    expect(filter.held).toBe('data: '.length + 2 * data.length);
    feed(filter, '"}}\n\n');
    expect(filter.held).toBe(0);
  });

  it('ends with an event of more than 16 MiB', () => {
    const filter = new EventListFilter(withoutX);
    const chunk = Buffer.alloc(64 * 1024, 'y');
    expect(feed(filter, 'data: {"result":{"content":"')).toMatchObject({
      bytes: Buffer.alloc(0),
    });
    let fed = 0;
    let fault = feed(filter, chunk).fault;
    for (; fault === undefined && fed < 17 * MIB; fed += chunk.length)
      fault = feed(filter, chunk).fault;
    expect(fault).toBe('event_too_large');
    expect(Math.abs(fed - 16 * MIB)).toBeLessThanOrEqual(2 * chunk.length);
  });
});
