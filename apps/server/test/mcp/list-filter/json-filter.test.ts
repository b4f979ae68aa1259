import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonListFilter } from '../../../src/mcp/list-filter/json-filter.ts';
import { STEP } from '../../../src/mcp/list-filter/options.ts';
import { responseText } from './arbitrary.ts';
import { feed, filtered, filterJson, run, runInSteps, splitsOf, withoutX } from './support.ts';

const withScope = { ...withoutX, makePrivate: true };
const all = { allows: () => true, makePrivate: false };
const MIB = 1024 * 1024;

const tools = (entries: string, rest = '') =>
  `{"jsonrpc":"2.0","id":1,"result":{"tools":[${entries}]${rest}}}`;
const tool = (name: string) => `{"name":"${name}"}`;

describe('a list in a body of JSON', () => {
  it.each([
    [`${tool('a')},${tool('x')},${tool('b')}`, `${tool('a')},${tool('b')}`],
    [`${tool('x')},${tool('a')}`, tool('a')],
    [`${tool('a')},${tool('x')}`, tool('a')],
    [`${tool('x')},${tool('x')}`, ''],
    [` ${tool('x')} ,\n ${tool('a')} , ${tool('b')} `, ` ${tool('a')} , ${tool('b')} `],
    [` ${tool('a')} , ${tool('x')} , ${tool('b')}\n`, ` ${tool('a')} , ${tool('b')}\n`],
    [` ${tool('x')} `, '  '],
    ['', ''],
    ['{"description":"},{","name":"x"},{"n\\u0061me":"\\u0078"}', ''],
    ['{"uri":"a"},"a",null,[{"name":"a"}],{"name":["a"]},{"name":"\\ud800"}', ''],
    [
      '{"inputSchema":{"name":"x","Name":"x"},"name":"a"}',
      '{"inputSchema":{"name":"x","Name":"x"},"name":"a"}',
    ],
  ])('of %s becomes %s', (entries, expected) => {
    const rest = ',"nextCursor":"x", "_meta":{"tools":[{"name":"x"}]},"n":12345678901234567890';
    expect(filterJson(tools(entries, rest))).toMatchObject({ text: tools(expected, rest) });
  });

  it.each([
    ['prompts', 'name'],
    ['resources', 'uri'],
    ['resourceTemplates', 'uriTemplate'],
  ])('%s goes by %s', (list, key) => {
    const body = (entries: string) => `{"result":{"${list}":[${entries}]},"id":1}`;
    const entry = (text: string) =>
      `{"name":"y","${key}":"${text}"}`.replace('"name":"y","name"', '"name"');
    const seen: unknown[] = [];
    const allows = (
      ...[kind, identifier, bytes]: Parameters<NonNullable<typeof withoutX.allows>>
    ) => {
      seen.push([kind, identifier, bytes.toString()]);
      return identifier === 'a:1';
    };
    const outcome = filterJson(body(`${entry('a:1')},${entry('a:2')}`), {
      allows,
      makePrivate: false,
    });
    expect(outcome).toMatchObject({ text: body(entry('a:1')) });
    expect(seen).toEqual([
      [list, 'a:1', entry('a:1')],
      [list, 'a:2', entry('a:2')],
    ]);
  });

  it('is cut in every message of a batch, and nowhere else', () => {
    const text = `[${tools(tool('x'))},{"params":{"result":{"tools":[${tool('x')}]}},"tools":[${tool('x')}]},${tools(tool('x'))}]`;
    expect(filterJson(text)).toMatchObject({ text: text.replaceAll(tools(tool('x')), tools('')) });
  });

  it('is what filtering the parsed body gives, and without a cut byte for byte the same', () => {
    let cuts = 0;
    fc.assert(
      fc.property(responseText, fc.boolean(), (text, makePrivate) => {
        const options = { ...withoutX, makePrivate };
        const outcome = filterJson(text, options);
        if ('fault' in outcome) throw new Error(outcome.fault);
        cuts += outcome.text === text ? 0 : 1;
        deepStrictEqual(JSON.parse(outcome.text), filtered(JSON.parse(text), options));
        const isWhole = isDeepStrictEqual(filtered(JSON.parse(text), all), JSON.parse(text));
        if (isWhole) expect(filterJson(text, all)).toMatchObject({ text });
      }),
      { numRuns: 300, seed: 41 },
    );
    expect(cuts).toBeGreaterThan(100);
  });

  it('is the same wherever the body is cut into chunks', () => {
    fc.assert(
      fc.property(responseText, fc.boolean(), (text, makePrivate) => {
        const options = { ...withoutX, makePrivate };
        const whole = filterJson(text, options);
        for (const chunks of splitsOf(Buffer.from(text))) {
          deepStrictEqual(run(new JsonListFilter(options), chunks), whole);
        }
      }),
      { numRuns: 12, seed: 43 },
    );
  });

  it('is the same wherever a step of reading ends', () => {
    const restOf = (scope: string) => `,"cacheScope":"${scope}","nextCursor":"${'n'.repeat(60)}"`;
    const rest = tools(`${tool('x')} , ${tool('a')},${tool('x')}`, restOf('public'));
    const expected = tools(tool('a'), restOf('private'));
    for (let at = 0; at <= rest.length; at += 1) {
      const blank = ' '.repeat(STEP - at);
      const sent = runInSteps(new JsonListFilter(withScope), `${blank}${rest}`);
      expect(sent.replace(' {"name":"a"}', '{"name":"a"}')).toBe(`${blank}${expected}`);
    }
  });

  it('may have more entries than one tree of JSON has values', () => {
    const entries = Array(140_000).fill(tool('a')).join();
    expect(filterJson(tools(`${tool('x')},${entries}`))).toMatchObject({ text: tools(entries) });
  });

  it('is sent as it arrives: no more than an entry is held', () => {
    const filter = new JsonListFilter(withoutX);
    const parts = [
      '{"result":{"tools":[',
      tool('a'),
      `,${tool('b')}`,
      ',',
      '{"name":"x',
      '"',
      '}',
      ']',
    ];
    const sent = parts.map((part) => feed(filter, part).bytes.toString());
    expect(sent).toEqual(['{"result":{"tools":[', tool('a'), `,${tool('b')}`, '', '', '', '', ']']);
  });

  it.each([
    ['a second result', '{"result":{"tools":[]},"result":{"tools":[]}}', 'ambiguous'],
    ['a result in another spelling', '{"Result":{"tools":[]}}', 'ambiguous'],
    ['a second list', '{"result":{"tools":[],"prompts":[]}}', 'ambiguous'],
    ['the same list twice', '{"result":{"tools":[],"tool\\u0073":[]}}', 'ambiguous'],
    ['a list in another spelling', '{"result":{"tool\u017f":[]}}', 'ambiguous'],
    ['an entry with two names', tools('{"name":"a","name":"x"}'), 'ambiguous'],
    ['an entry with a name in another spelling', tools('{"name":"a","NAME":"x"}'), 'ambiguous'],
    ['a list that is an object', '{"result":{"tools":{"a":{"name":"x"}}}}', 'unreadable'],
    ['text after the body', `${tools('')} ${tools(tool('x'))}`, 'unreadable'],
    ['NaN', `{"n":NaN,${tools('').slice(1)}`, 'unreadable'],
    ['an end too soon', tools(tool('a')).slice(0, -1), 'unreadable'],
    ['UTF-16', Buffer.from(tools(tool('x')), 'utf16le'), 'unreadable'],
    ['UTF-16, big endian', Buffer.from(tools(tool('x')), 'utf16le').swap16(), 'unreadable'],
    ['an entry that is not UTF-8', Buffer.from(tools(tool('\xe9')), 'latin1'), 'unreadable'],
  ])('ends with %s', (_title, body, fault) => {
    expect(filterJson(body)).toMatchObject({ fault });
  });

  it('ends with an entry of more than 1 MiB', () => {
    const entry = (size: number) =>
      `{"name":"a","d":"${'y'.repeat(size - '{"name":"a","d":""}'.length)}"}`;
    const body = (size: number) => tools(`${tool('b')},${entry(size)}`);
    expect(filterJson(body(MIB))).toMatchObject({ text: body(MIB) });
    expect(filterJson(body(MIB + 1))).toMatchObject({ fault: 'entry_too_large' });
  });

  it.each([
    ['an entry without an end', `{"result":{"tools":[{"name":"a","d":"`],
    ['blanks before an entry', `{"result":{"tools":[{"name":"a"},`],
    ['a key without an end', `{"result":{"`],
  ])('holds no more than 2 MiB of %s', (_title, start) => {
    const filter = new JsonListFilter(withoutX);
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let fed = 0;
    let fault = feed(filter, start).fault;
    for (; fault === undefined && fed < 4 * MIB; fed += chunk.length)
      fault = feed(filter, chunk).fault;
    expect(fault).toBe('entry_too_large');
    expect(fed).toBeLessThanOrEqual(2 * MIB + chunk.length);
  });

  it.each(['', ' ', '\uFEFF'])('is not looked for in %j', (text) => {
    expect(filterJson(text)).toMatchObject({ text });
  });

  it.each(['Bad Gateway {"result":{"tools":[]}', '<html>', '"x"', '17'])(
    'is not in %j, which no client reads as a message',
    (text) => {
      expect(filterJson(text)).toMatchObject({ sent: '', fault: 'unreadable' });
    },
  );

  it('is found after a byte order mark', () => {
    expect(filterJson(`\uFEFF${tools(tool('x'))}`)).toMatchObject({ text: `\uFEFF${tools('')}` });
  });
});

describe('the cache scope of a result', () => {
  it.each(['"public"', '"\\u0070ublic"', '"\\u0070\\u0075\\u0062\\u006c\\u0069\\u0063"'])(
    'becomes private: %s',
    (scope) => {
      const body = (value: string) => `{"result":{"cacheScope": ${value} ,"tools":[]}}`;
      for (const chunks of splitsOf(Buffer.from(body(scope)))) {
        const outcome = run(new JsonListFilter(withScope), chunks);
        expect(outcome).toMatchObject({ text: body('"private"') });
      }
    },
  );

  it.each([
    '{"result":{"cacheScope":"private"}}',
    '{"result":{"cacheScope":["public"]}}',
    '{"result":{"_meta":{"cacheScope":"public"}}}',
    '{"cacheScope":"public"}',
    `{"result":{"cacheScope":"public${'c'.repeat(3 * MIB)}"}}`,
  ])('stays', (text) => {
    expect(filterJson(text, withScope)).toMatchObject({ text });
  });

  it('stays without rules about people', () => {
    const text = '{"result":{"cacheScope":"public"}}';
    expect(filterJson(text)).toMatchObject({ text });
  });
});
