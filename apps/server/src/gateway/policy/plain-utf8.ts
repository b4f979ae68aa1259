const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/** What two parsers read alike: bytes without a `Content-Encoding`, in UTF-8 (RFC 8259 section 8.1). */
export function isPlainUtf8(
  contentType: string | readonly string[] | undefined,
  contentEncoding: string | readonly string[] | undefined,
): boolean {
  const charsets = [...String(contentType ?? '').matchAll(CHARSET)].map(([, name]) => name);
  const isUtf8 = charsets.every((name) => name?.toLowerCase() === 'utf-8');
  return isUtf8 && String(contentEncoding ?? 'identity').toLowerCase() === 'identity';
}
