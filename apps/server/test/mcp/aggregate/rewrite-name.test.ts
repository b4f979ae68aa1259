import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteName } from '../../../src/mcp/aggregate/rewrite-name.ts';
import type { Message } from '../../../src/mcp/envelope/message.ts';
import { PassingEnvelope } from '../../../src/mcp/envelope/passing-envelope.ts';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import { blank, literal, message as object } from '../support/json-arbitrary.ts';

function messageIn(body: Buffer): Message {
  const envelope = readEnvelope(body);
  if (envelope.kind !== 'message') throw new Error(envelope.kind);
  return envelope.message;
}

function rewritten(text: string, name: string): string {
  const body = Buffer.from(text);
  return rewriteName(body, messageIn(body), name).toString();
}

describe('the name in a request', () => {
  it.each([
    [
      '{"id":12345678901234567890,"method":"tools/call","params":{"name":"git__a","arguments":{"name":"git__a","n":1.50}}}',
      '{"id":12345678901234567890,"method":"tools/call","params":{"name":"a b","arguments":{"name":"git__a","n":1.50}}}',
    ],
    [
      ' {"params" : {"arguments":{"name":"x"},"n\\u0061me"\n: "git__\\u0061" } ,"method":"prompts/get"}\n',
      ' {"params" : {"arguments":{"name":"x"},"n\\u0061me"\n: "a b" } ,"method":"prompts/get"}\n',
    ],
  ])('of %s is replaced', (text, expected) => {
    expect(rewritten(text, 'a b')).toBe(expected);
  });

  it('of a completion is that of the prompt', () => {
    const text = (name: string) =>
      `{"method":"completion/complete","params":{"name":"p","ref":{"type":"ref/prompt","name":"${name}"},"argument":{"name":"p"}}}`;
    const body = Buffer.from(text('git__p'));
    const { ref } = messageIn(body);
    expect(ref && rewriteName(body, ref, 'é').toString()).toBe(text('é'));
  });

  it('leaves the body alone if it stays, or if there is no name', () => {
    const same = Buffer.from('{"method":"tools/call","params":{"name":"\\u0061"}}');
    expect(rewriteName(same, messageIn(same), 'a')).toBe(same);
    const nameless = Buffer.from('{"method":"tools/list","params":{"name":7}}');
    expect(rewriteName(nameless, messageIn(nameless), 'a')).toBe(nameless);
  });

  it('is replaced between bytes that stay, also in a body that came in pieces', () => {
    let replaced = 0;
    const drawn = fc.tuple(
      literal,
      literal,
      object,
      blank,
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(
        drawn,
        fc.string({ unit: 'grapheme' }),
        ([from, id, args, space, isFirst, size], name) => {
          const named = `${space}"name"${space}:${space}`;
          const others = `"arguments":${space}${args}`;
          const start = `{"id":${id},"method":"tools/call","params":{${isFirst ? '' : `${others},`}${named}`;
          const end = `${isFirst ? `,${others}` : ''}${space}}}${space}`;
          const body = Buffer.from(start + from + end);
          const passing = new PassingEnvelope();
          for (let at = 0; at < body.length; at += size) passing.feed(body.subarray(at, at + size));
          const { envelope } = passing;
          if (envelope.kind !== 'message') return;
          const own = JSON.parse(from) === name ? from : JSON.stringify(name);
          expect(rewriteName(body, envelope.message, name).toString()).toBe(start + own + end);
          replaced += 1;
        },
      ),
      { numRuns: 500, seed: 26 },
    );
    expect(replaced).toBeGreaterThan(300);
  });
});
