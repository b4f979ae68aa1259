import { isUtf8 } from 'node:buffer';

/** The prefix and suffix are case-sensitive. */
const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The parameter that `Mcp-Name` mirrors (2026-07-28 streamable HTTP, "Standard Request Headers"). */
export const NAME_SOURCES: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/**
 * The text of a header that may be encoded (2026-07-28 streamable HTTP, "Value Encoding"); undefined if it
 * is marked as Base64 and is not Base64 of UTF-8.
 */
export function decodedHeader(value: string): string | undefined {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** A text as a header value: encoded where a header cannot carry it, or where it would be taken for an encoded one. */
export function encodedHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
