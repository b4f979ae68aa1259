import { describe, expect, it } from 'vitest';
import { isJsonContentType, JsonBodyError, parseJsonBody } from '../../src/index.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function reasonOf(bytes: Uint8Array): string | undefined {
  try {
    parseJsonBody(bytes);
    return undefined;
  } catch (error) {
    return error instanceof JsonBodyError ? error.reason : 'another error';
  }
}

describe('a JSON body', () => {
  it.each([
    ['{"a":["\\"[,{\\\\",1.5,null]}', { a: ['"[,{\\', 1.5, null] }],
    ['\ufeff{"é":"\u{1f600}"}', { é: '\u{1f600}' }],
    [`[${Array(19_999).fill('0').join()}]`, Array(19_999).fill(0)],
    [`"${',['.repeat(30_000)}"`, ',['.repeat(30_000)],
  ])('is parsed: %s', (text, value) => {
    expect(parseJsonBody(bytesOf(text))).toEqual(value);
  });

  it.each([
    ['with too many values', `[${Array(20_001).fill('0').join()}]`, 'too_many_values'],
    ['with too many names', `{${Array(10_001).fill('"a":0').join()}}`, 'too_many_values'],
    ['with too many empty lists', '['.repeat(30).concat('[],'.repeat(20_000)), 'too_many_values'],
    ['that is nested too deeply', '['.repeat(65), 'too_deep'],
    ['that is nested too deeply in objects', '{"a":'.repeat(65), 'too_deep'],
    ['with a number that is too long', `[${'9'.repeat(1001)}]`, 'long_number'],
    ['with a fraction that is too long', `[0.${'9'.repeat(1001)}]`, 'long_number'],
    ['that ends in a text', '{"a', 'malformed'],
    ['that ends in an escape', '"\\', 'malformed'],
    ['that is empty', '', 'malformed'],
  ])('%s is refused', (_, text, reason) => {
    expect(reasonOf(bytesOf(text))).toBe(reason);
  });

  it.each([
    ['a byte of another encoding', [0x22, 0xe9, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xa2, 0x22]],
    ['half a character', [0x22, 0xf0, 0x9f, 0x22]],
  ])('with %s is malformed', (_, bytes) => {
    expect(reasonOf(Uint8Array.from(bytes))).toBe('malformed');
  });
});

it.each([
  ['application/json', true],
  ['Application/JSON ; charset="UTF-8"', true],
  ['application/json; charset=utf-16', false],
  ['application/merge-patch+json', false],
  ['application/json-patch+json', false],
  ['application/problem+json', false],
  ['application/jsonp', false],
  ['text/json', false],
  ['', false],
])('the type %s is JSON: %s', (type, isJson) => {
  expect(isJsonContentType(type)).toBe(isJson);
});
