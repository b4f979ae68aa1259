import { isPlainUtf8 } from './plain-utf8.ts';

type Values = string | readonly string[] | undefined;

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
