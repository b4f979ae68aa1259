import type { Envelope } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import type { Call } from '../call.ts';
import { BodyStream, type RequestBody } from '../request-body.ts';
import { mustBePlain, refuseUnreadable } from '../unreadable-body.ts';
import { judgedHeadersOf } from './judged-headers.ts';

/**
 * Calls `pass` unless two parsers may find different calls in the body: the call that is recorded is the one that is
 * executed. A body that streams is read as it passes, see {@link BodyStream}. Where calls are not recorded, nothing is
 * read.
 *
 * @param pass learns whether other calls have gone on meanwhile
 */
export function passReadable(
  call: Call,
  body: RequestBody,
  pass: (hasWaited: boolean) => void,
): void {
  if (!call.notes.needsMessages || body === null) {
    pass(false);
    return;
  }
  const headers = judgedHeadersOf(call.request.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) {
    call.refuse(mustBePlain());
    if (body instanceof BodyStream) body.destroy();
    return;
  }
  if (body instanceof BodyStream || body.length === 0) {
    pass(false);
    return;
  }
  const follow = (envelope: Envelope, hasWaited: boolean): void => {
    call.notes.envelope = envelope;
    if (envelope.kind !== 'unreadable' || !envelope.mayCall) pass(hasWaited);
    else refuseUnreadable(call, envelope.reason, 'refused');
  };
  const envelope = call.notes.envelope ?? envelopeOf(body);
  if (!(envelope instanceof Promise)) follow(envelope, false);
  else envelope.then((read) => follow(read, true)).catch((error: unknown) => call.refuse(error));
}
