import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/mcp/translation/message-reader.ts';
import {
  metaOfHello,
  toLegacyRequest,
  toModernRequest,
} from '../../../src/mcp/translation/requests.ts';
import { REQUEST } from '../../../src/mcp/translation/shapes.ts';
import { membersWith, objectOf } from './arbitrary.ts';

const PREFIX = 'io.modelcontextprotocol/';

async function read(text: string) {
  const message = await readMessage(Buffer.from(text), REQUEST);
  if (message === undefined) throw new Error('It cannot be read.');
  return message;
}

const meta = membersWith(['progressToken', `${PREFIX}protocolVersion`, `${PREFIX}clientInfo`]);
const request = meta
  .chain(objectOf)
  .chain((inner) =>
    membersWith(['inputResponses', 'requestState', 'name', 'arguments']).chain((members) =>
      fc.nat(members.length).chain((at) => {
        const all: [string, string][] = [...members];
        all.splice(at, 0, ['"_meta"', inner]);
        return objectOf(all);
      }),
    ),
  )
  .chain((params) =>
    objectOf([
      ['"jsonrpc"', '"2.0"'],
      ['"id"', '12345678901234567890'],
      ['"method"', '"tools/call"'],
      ['"params"', params],
    ]),
  );

describe('a request of a modern client for a legacy upstream', () => {
  it('loses what only the modern era knows, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (text) => {
        const expected = JSON.parse(text);
        expected.id = 'own';
        for (const key of ['inputResponses', 'requestState']) delete expected.params[key];
        for (const key of Object.keys(expected.params._meta)) {
          if (key.startsWith(PREFIX)) delete expected.params._meta[key];
          if (key === 'progressToken') expected.params._meta[key] = 'own';
        }
        const translated = toLegacyRequest(await read(text), '"own"').toString();
        expect(JSON.parse(translated)).toEqual(expected);
        expect(Object.keys(JSON.parse(translated).params)).toEqual(Object.keys(expected.params));
      }),
    );
  });

  it('keeps every other byte', async () => {
    const text = `{"jsonrpc":"2.0", "id" : 7,"method":"tools/call","params":{"_meta":{"${PREFIX}clientInfo":{"name":"x"}, "progressToken" : 3 },"requestState":"s", "arguments":{"n":1.50e+3}}}`;
    expect(toLegacyRequest(await read(text), '"own"').toString()).toBe(
      '{"jsonrpc":"2.0", "id" : "own","method":"tools/call","params":{"_meta":{"progressToken" : "own" }, "arguments":{"n":1.50e+3}}}',
    );
  });
});

describe('a request of a legacy client for a modern upstream', () => {
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'client', version: '1' },
  };
  const said = {
    [`${PREFIX}protocolVersion`]: '2026-07-28',
    [`${PREFIX}clientInfo`]: hello.clientInfo,
    [`${PREFIX}clientCapabilities`]: { elicitation: {} },
  };

  it('says what its client has said once, and keeps everything else', async () => {
    const input = { inputResponses: '{"a":{"n":1.0}}', requestState: '"s"' };
    const rounds = fc.constantFrom(
      { id: '5' },
      { id: '6', ...input },
      { id: '7', requestState: '"s"' },
    );
    await fc.assert(
      fc.asyncProperty(request, rounds, async (text, round) => {
        const expected = JSON.parse(text);
        for (const key of ['inputResponses', 'requestState']) delete expected.params[key];
        for (const key of Object.keys(expected.params._meta)) {
          if (key.startsWith(PREFIX)) delete expected.params._meta[key];
        }
        Object.assign(expected.params._meta, said);
        const { id, ...given } = round;
        expected.id = JSON.parse(id);
        for (const [key, value] of Object.entries(given)) expected.params[key] = JSON.parse(value);
        const translated = toModernRequest(
          await read(text),
          metaOfHello(hello, undefined),
          round,
        ).toString();
        expect(JSON.parse(translated)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['{"id":1,"method":"x"}', { _meta: said }],
    ['{"id":1,"method":"x","params":{}}', { _meta: said }],
    ['{"id":1,"method":"x","params":{"_meta":null,"a":1}}', { _meta: said, a: 1 }],
    ['{"id":1,"method":"x","params":{"a":1}}', { _meta: said, a: 1 }],
  ])('gives parameters to %s', async (text, params) => {
    const translated = toModernRequest(await read(text), metaOfHello(hello, undefined), {
      id: '1',
    });
    expect(JSON.parse(translated.toString())).toEqual({ id: 1, method: 'x', params });
  });

  it('asks for the log only at a level that was set', () => {
    expect(metaOfHello(hello, 'warning')).toContain('"io.modelcontextprotocol/logLevel":"warning"');
    expect(metaOfHello(hello, undefined)).not.toContain('logLevel');
  });
});

it.each(['[]', '1', '{"id":1', '{"params":{"_meta":{},"_meta":{}}}', '{"params":{},"params":{}}'])(
  'does not read %s',
  async (text) => {
    expect(await readMessage(Buffer.from(text), REQUEST)).toBeUndefined();
  },
);
