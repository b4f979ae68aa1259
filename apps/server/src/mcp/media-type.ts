import { isPlainUtf8 } from './plain-utf8.ts';

type Values = string | readonly string[] | undefined;

const EVENT_STREAM = /^text\/event-stream\s*(;.*)?$/i;

/** Whether a `Content-Type` value means server-sent events (WHATWG HTML section 9.2). */
export function isEventStream(contentType: Values): boolean {
  return typeof contentType === 'string' && EVENT_STREAM.test(contentType);
}

/**
 * Whether the bytes of an event stream can be read as they are. Event streams are always UTF-8, but some clients decode
 * what another `charset` or a `Content-Encoding` says.
 */
export function isPlainEventStream(contentType: Values, contentEncoding: Values): boolean {
  return isEventStream(contentType) && isPlainUtf8(contentType, contentEncoding);
}

/** Some clients look for a media type anywhere in the value, others compare its beginning; a list has several. */
const TYPE = /^(application\/json|text\/event-stream)[\t ]*(;[^,]*)?$/i;
const OTHER_TYPE = /json|event-stream/i;

/**
 * How a response is read, by each client: as one message or as an event stream, in UTF-8. Undefined where clients may
 * differ, and where it is neither.
 */
export function formatOfMedia(
  contentType: Values,
  contentEncoding: Values,
): 'json' | 'events' | undefined {
  if (typeof contentType !== 'string' || !isPlainUtf8(contentType, contentEncoding)) return;
  const [, type, parameters = ''] = TYPE.exec(contentType) ?? [];
  if (type === undefined || OTHER_TYPE.test(parameters)) return undefined;
  return type.toLowerCase() === 'application/json' ? 'json' : 'events';
}

/** Whether some client may read a response as JSON or as an event stream. */
export function mayBeRead(contentType: Values): boolean {
  return contentType === undefined || OTHER_TYPE.test(String(contentType));
}
