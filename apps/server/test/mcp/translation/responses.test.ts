import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageReader } from '../../../src/mcp/translation/message-reader.ts';
import {
  toLegacyResponse,
  toModernResponse,
  withProgressToken,
} from '../../../src/mcp/translation/responses.ts';
import { FROM_SERVER } from '../../../src/mcp/translation/shapes.ts';
import { membersWith, objectOf } from './arbitrary.ts';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** In pieces of this many bytes. */
function read(text: string, size = 7) {
  const bytes = Buffer.from(text);
  const reader = new MessageReader(FROM_SERVER);
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
  const message = reader.end();
  if (message === undefined) throw new Error('It cannot be read.');
  return message;
}

const call = { id: '9', method: 'tools/call' };
const response = membersWith([SERVER_INFO, 'x/y'])
  .chain(objectOf)
  .chain((meta) =>
    membersWith(['resultType', 'ttlMs', 'cacheScope']).chain((members) =>
      fc.nat(members.length).chain((at) => {
        const all: [string, string][] = [...members];
        all.splice(at, 0, ['"_meta"', meta]);
        return objectOf(all);
      }),
    ),
  )
  .chain((result) =>
    objectOf([
      ['"id"', '"gatehouse-1"'],
      ['"result"', result],
      ['"jsonrpc"', '"2.0"'],
    ]),
  );

describe('the response of a modern upstream for a legacy client', () => {
  it('loses what only the modern era knows, and nothing else', () => {
    fc.assert(
      fc.property(response, fc.integer({ min: 1, max: 90 }), (text, size) => {
        const expected = JSON.parse(text);
        expected.id = 9;
        for (const key of ['resultType', 'ttlMs', 'cacheScope']) delete expected.result[key];
        delete expected.result._meta[SERVER_INFO];
        const translated = toLegacyResponse(read(text, size), call).toString();
        expect(JSON.parse(translated)).toEqual(expected);
      }),
    );
  });

  it('keeps every other byte', () => {
    const text = `{"jsonrpc":"2.0","id":"g","result":{"resultType":"complete", "content":[1.50e+3],"_meta" : {"${SERVER_INFO}":{},"a":12345678901234567890}}}`;
    expect(toLegacyResponse(read(text), call).toString()).toBe(
      '{"jsonrpc":"2.0","id":9,"result":{"content":[1.50e+3],"_meta" : {"a":12345678901234567890}}}',
    );
  });
});

describe('the response of a legacy upstream for a modern client', () => {
  it('is complete and tells its server, and keeps everything else', () => {
    fc.assert(
      fc.property(response, (text) => {
        const expected = JSON.parse(text);
        expected.id = 9;
        for (const key of ['ttlMs', 'cacheScope']) delete expected.result[key];
        expected.result.resultType = 'complete';
        expected.result._meta[SERVER_INFO] = { name: 's' };
        const translated = toModernResponse(read(text), call, '{"name":"s"}').toString();
        expect(JSON.parse(translated)).toEqual(expected);
      }),
    );
  });

  it('may be cached by nobody if it is a resource', () => {
    const read1 = read('{"id":1,"result":{"contents":[]}}');
    const translated = toModernResponse(read1, { id: '1', method: 'resources/read' }, '{}');
    expect(JSON.parse(translated.toString()).result).toEqual({
      resultType: 'complete',
      contents: [],
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [SERVER_INFO]: {} },
    });
  });
});

describe('an error', () => {
  const error = (code: number) =>
    `{"id":1,"error":{"message":"m","code":${code},"data":{"n":1.0}}}`;

  it('says in each era that a resource does not exist', () => {
    const reading = { id: '1', method: 'resources/read' };
    expect(toLegacyResponse(read(error(-32602)), reading).toString()).toBe(error(-32002));
    expect(toModernResponse(read(error(-32002)), reading, '{}').toString()).toBe(error(-32602));
  });

  it('of another request stays', () => {
    const other = { ...call, id: '1' };
    expect(toLegacyResponse(read(error(-32602)), other).toString()).toBe(error(-32602));
    expect(toModernResponse(read(error(-32002)), other, '{}').toString()).toBe(error(-32002));
  });
});

it('puts the progress token of the client back', () => {
  const text = '{"method":"notifications/progress","params":{"progress":1.0,"progressToken":"g"}}';
  expect(withProgressToken(read(text), '3').toString()).toBe(text.replace('"g"', '3'));
});
