/** Also a parameter that is extended or continued (RFC 2231). */
const CHARSET = /;\s*charset(?:\*\d*\*?)?\s*=\s*"?([^";\s]*)/gi;

type Values = string | readonly string[] | undefined;

/**
 * Whether two parsers read a body alike: it is in UTF-8 (RFC 8259 section 8.1), without a `Content-Encoding`, by each
 * value of the headers that say so.
 */
export function isPlainUtf8(contentType: Values, contentEncoding: Values): boolean {
  const type = String(contentType ?? '');
  // Most have no parameters, and each call comes here.
  const charsets = type.includes(';') ? [...type.matchAll(CHARSET)].map(([, name]) => name) : [];
  const isUtf8 = charsets.every((name) => name?.toLowerCase() === 'utf-8');
  return isUtf8 && String(contentEncoding ?? 'identity').toLowerCase() === 'identity';
}
