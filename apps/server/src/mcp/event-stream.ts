const TYPE = /^text\/event-stream\s*(;.*)?$/i;
const UTF_8 = /^;\s*charset\s*=\s*"?utf-8"?\s*;?\s*$/i;

/** Whether a `Content-Type` value means server-sent events (WHATWG HTML section 9.2). */
export function isEventStream(contentType: string | readonly string[] | undefined): boolean {
  return typeof contentType === 'string' && TYPE.test(contentType);
}

/**
 * Whether the bytes of an event stream can be read as they are. Event streams are always UTF-8, but some
 * clients decode what another `charset` or a `Content-Encoding` says.
 */
export function isPlainEventStream(
  contentType: string | readonly string[] | undefined,
  contentEncoding: string | readonly string[] | undefined,
): boolean {
  if (typeof contentType !== 'string') return false;
  const match = TYPE.exec(contentType);
  const parameters = match?.[1] ?? '';
  const isUtf8 = !/charset/i.test(parameters) || UTF_8.test(parameters);
  const isEncoded = contentEncoding !== undefined && contentEncoding !== 'identity';
  return match !== null && isUtf8 && !isEncoded;
}
