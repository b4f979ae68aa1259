/** Whether a `Content-Type` value is that of server-sent events (WHATWG HTML section 9.2). */
export function isEventStream(contentType: string | readonly string[] | undefined): boolean {
  return typeof contentType === 'string' && /^text\/event-stream\s*(?:;|$)/i.test(contentType);
}
