/** Also a parameter that is extended or continued (RFC 2231). */
const CHARSET = /;\s*charset(?:\*\d*\*?)?\s*=\s*"?([^";\s]*)/gi;

type Values = string | readonly string[] | undefined;

/**
 * Whether two parsers read a body alike: it is in UTF-8 (RFC 8259 section 8.1), without a `Content-Encoding`, by each
 * value of the headers that say so.
 */
export function isPlainUtf8(contentType: Values, contentEncoding: Values): boolean {
  return areAll(contentType, isUtf8) && areAll(contentEncoding, isIdentity);
}

function areAll(values: Values = [], isMet: (value: string) => boolean): boolean {
  return typeof values === 'string' ? isMet(values) : values.every(isMet);
}

function isUtf8(contentType: string): boolean {
  // Most have no parameters, and each call comes here.
  if (!contentType.includes(';')) return true;
  const charsets = [...contentType.matchAll(CHARSET)];
  return charsets.every(([, name]) => name?.toLowerCase() === 'utf-8');
}

function isIdentity(contentEncoding: string): boolean {
  return contentEncoding.toLowerCase() === 'identity';
}
