import { expect, it } from 'vitest';
import { paramHeadersOf } from '../../src/mcp/param-headers.ts';

const property = (name: unknown) => ({ type: 'string', 'x-mcp-header': name });

function headersOf(properties: object, given: string) {
  const definition = { name: 'a', inputSchema: { type: 'object', properties } };
  return paramHeadersOf(Buffer.from(JSON.stringify(definition)), Buffer.from(given));
}

it.each([
  ['{"a":"eu"}', { 'mcp-param-region': 'eu' }],
  ['{"a":7}', { 'mcp-param-region': '7' }],
  ['{"a":false}', { 'mcp-param-region': 'false' }],
  ['{"a":"é"}', { 'mcp-param-region': '=?base64?w6k=?=' }],
  ['{"a":" x"}', { 'mcp-param-region': '=?base64?IHg=?=' }],
  ['{"a":""}', { 'mcp-param-region': '=?base64??=' }],
  ['{"a":"x\\r\\nEvil: 1"}', { 'mcp-param-region': '=?base64?eA0KRXZpbDogMQ==?=' }],
  ['{"a":null}', {}],
  ['{"a":12345678901234567890}', {}],
  ['{"a":["eu"]}', {}],
  ['{"b":"eu"}', {}],
  ['{}', {}],
])('of the arguments %s', (given, headers) => {
  expect(headersOf({ a: property('Region'), b: { type: 'string' } }, given)).toEqual(headers);
});

it('looks into objects of any schema', () => {
  const place = { type: 'object', properties: { b: property('Region') } };
  const given = '{"a":{"b":"eu"},"c":"x"}';
  expect(headersOf({ a: place, c: property('Other') }, given)).toEqual({
    'mcp-param-region': 'eu',
    'mcp-param-other': 'x',
  });
  expect(headersOf({ a: place }, '{"a":"eu"}')).toEqual({});
});

it.each([[7], [''], ['a b'], ['a\r\nb'], ['a:b'], [null]])(
  'a header cannot be called %j',
  (name) => {
    expect(headersOf({ a: property(name) }, '{"a":"eu"}')).toEqual({});
  },
);

it('reads nothing that is long or deep', () => {
  const long = `{"a":"${'x'.repeat(300_000)}"}`;
  expect(headersOf({ a: property('Region') }, long)).toEqual({});
  let deep: object = property('Region');
  for (let level = 0; level < 2_000; level += 1) deep = { properties: { a: deep } };
  expect(headersOf({ a: deep }, '{}')).toEqual({});
});
