const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/** Whether two parsers read a body alike: it is in UTF-8 (RFC 8259 section 8.1), without a `Content-Encoding`. */
export function isPlainUtf8(
  contentType: string | readonly string[] | undefined,
  contentEncoding: string | readonly string[] | undefined,
): boolean {
  const type = String(contentType ?? '');
  // Most have no parameters, and each call comes here.
  const charsets = type.includes(';') ? [...type.matchAll(CHARSET)].map(([, name]) => name) : [];
  const isUtf8 = charsets.every((name) => name?.toLowerCase() === 'utf-8');
  return isUtf8 && String(contentEncoding ?? 'identity').toLowerCase() === 'identity';
}
