import type { Envelope } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import type { Call } from '../call.ts';
import { isCounted } from '../limit-call.ts';
import { mustBePlain } from '../own-answer.ts';
import { BodyStream, type RequestBody } from '../request-body.ts';
import type { Route } from '../routes.ts';
import { judgedHeadersOf } from './judged-headers.ts';

/**
 * The messages of a body, where rules, limits or the record of the call need them. A body that streams is read as it
 * passes, see {@link BodyStream}.
 *
 * @throws ProblemError `unsupported_media_type` for a body that two parsers may decode differently
 */
export function readMessages(
  call: Pick<Call, 'request' | 'notes'>,
  body: RequestBody,
  route: Pick<Route, 'policy' | 'limits'>,
): Envelope | Promise<Envelope> | undefined {
  const isJudged = route.policy?.hasNameRules === true;
  const isNeeded = isJudged || call.notes.needsMessages || isCounted(call, route);
  if (body === null || !isNeeded) return call.request.behind?.envelope;
  const headers = judgedHeadersOf(call.request.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
  if (body instanceof BodyStream || (body.length === 0 && !isJudged)) return undefined;
  // The aggregate has read the message, but rules judge the bytes that go up.
  return (isJudged ? undefined : call.request.behind?.envelope) ?? envelopeOf(body);
}
