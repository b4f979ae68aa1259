import { expect, it } from 'vitest';
import { readEnvelope } from '../../../src/mcp/envelope/read-envelope.ts';
import { unwrapCall } from '../../../src/mcp/search/unwrap-call.ts';

async function unwrapped(text: string) {
  const body = Buffer.from(text);
  const envelope = readEnvelope(body);
  const nameAt = envelope.kind === 'message' ? envelope.message.nameAt : undefined;
  if (nameAt === undefined) throw new Error('This is no call.');
  const call = await unwrapCall(body, nameAt);
  return typeof call === 'string' ? call : { name: call.message.name, text: call.body.toString() };
}

const wrap = (given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":${given}}}`;

it.each([
  [
    ' {"jsonrpc":"2.0","id" : 12345678901234567890,"method":"tools/call","params":{"name":"w","arguments":{"name":"a__b","arguments":{"n": 12345678901234567890.10, "x":[1 ]}},"_meta":{"progressToken":98765432109876543210}}}',
    ' {"jsonrpc":"2.0","id" : 12345678901234567890,"method":"tools/call","params":{"name":"a__b","arguments":{"n": 12345678901234567890.10, "x":[1 ]},"_meta":{"progressToken":98765432109876543210}}}',
  ],
  [
    '{"params":{"_meta":{"name":"x"},"arguments":{"arguments":{"name":"n","arguments":{}},"name":"a"},"requestState":"s","name":"w"},"method":"tools/call","id":"é"}',
    '{"params":{"_meta":{"name":"x"},"arguments":{"name":"n","arguments":{}},"requestState":"s","name":"a"},"method":"tools/call","id":"é"}',
  ],
  [
    wrap('{"name":"a"}'),
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}',
  ],
])('of %s only the call that it wraps is left', async (text, expected) => {
  const call = await unwrapped(text);
  expect(call).toMatchObject({ text: expected });
});

it('reads the name as it is in the new body', async () => {
  expect(await unwrapped(wrap('{"name":"a\\u005fb"}'))).toMatchObject({ name: 'a_b' });
});

it('unwraps a body above 256 KiB', async () => {
  const long = `{"text":"${'x'.repeat(1_000_000)}"}`;
  expect(await unwrapped(wrap(`{"arguments":${long},"name":"a"}`))).toEqual({
    name: 'a',
    text: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${long}}}`,
  });
});

it.each([
  [wrap('{"arguments":{}}'), /name is missing/],
  [wrap('{"name":7}'), /params\.name must be a string/],
  [wrap('{"name":{}}'), /params\.name must be a string/],
  [wrap(`{"name":"${'n'.repeat(20_000)}"}`), /params\.name must be a string/],
  [wrap('{"name":"a","arguments":"{}"}'), /arguments must be an object/],
  [wrap('{"name":"a","arguments":null}'), /arguments must be an object/],
  [wrap('[]'), /arguments must be an object/],
  [wrap('{"name":"a","name":"b"}'), /"name" is repeated/],
  [wrap('{"Name":"a"}'), /"name" is repeated, or misspelt/],
  [wrap('{"name":"a","Name":"b"}'), /"name" is repeated, or misspelt/],
  [wrap('{"name":"a","arguments":{},"argument\\u0073":{}}'), /"arguments" is repeated/],
  [wrap('{"name":"a"},"arguments":{"name":"b"}'), /"arguments" is repeated/],
  ['{"id":1,"method":"tools/call","params":{"name":"w"}}', /arguments must be an object/],
])('%s is refused', async (text, reason) => {
  expect(await unwrapped(text)).toMatch(reason);
});
