import type { Envelope, Message } from '../../mcp/envelope/message.ts';
import { MAX_AT_ONCE, readEnvelope, readLongEnvelope } from '../../mcp/envelope/read-envelope.ts';
import { refusalOf } from '../../mcp/server/reply.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { readEntireBody } from '../entire-body.ts';
import type { GatewayLimits } from '../limits.ts';
import { headerFault } from '../policy/header-fault.ts';
import { judgedHeadersOf } from '../policy/judged-headers.ts';
import { isPlainUtf8 } from '../policy/plain-utf8.ts';
import { type AnswerRequestDeps, answerRequest } from './answer-request.ts';
import type { Admitted } from './client-call.ts';
import { takeNotification, takeResponse } from './messages-of-client.ts';
import { sessionOf } from './session-of.ts';

const INVALID_REQUEST = -32600;
const HEADER_MISMATCH = -32020;

export interface AnswerPostDeps extends AnswerRequestDeps {
  readonly limits: GatewayLimits;
}

/** Reads a client's message and answers it. @throws ProblemError `unsupported_media_type` */
export function answerPost(admitted: Admitted, deps: AnswerPostDeps): void {
  const { call } = admitted;
  const headers = judgedHeadersOf(call.req.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
  const refuse = (error: unknown): void => call.refuse(error);
  const answer = (envelope: Envelope, body: Buffer): void => {
    try {
      answerEnvelope(admitted, envelope, body, deps);
    } catch (error) {
      refuse(error);
    }
  };
  readEntireBody(call, deps.limits, (body) => {
    if (body.length <= MAX_AT_ONCE) answer(readEnvelope(body), body);
    else
      readLongEnvelope(body)
        .then((envelope) => answer(envelope, body))
        .catch(refuse);
  });
}

function answerEnvelope(
  admitted: Admitted,
  envelope: Envelope,
  body: Buffer,
  deps: AnswerPostDeps,
): void {
  const { call } = admitted;
  if (envelope.kind !== 'message') {
    const reason = envelope.kind === 'batch' ? 'Batches are not supported.' : envelope.reason;
    call.answer(400, refusalOf('null', { code: INVALID_REQUEST, message: reason }));
    return;
  }
  const { message } = envelope;
  const fault = headerFault(message, judgedHeadersOf(call.req.rawHeaders));
  if (fault !== undefined) {
    const id = message.id ?? 'null';
    call.answer(400, refusalOf(id, { code: HEADER_MISMATCH, message: fault }));
    return;
  }
  answerMessage(admitted, message, body, deps).catch((error: unknown) => call.refuse(error));
}

async function answerMessage(
  admitted: Admitted,
  message: Message,
  body: Buffer,
  deps: AnswerPostDeps,
): Promise<void> {
  const found = sessionOf(admitted, message, deps);
  const session = found instanceof Promise ? await found : found;
  const client = { ...admitted, session };
  const { id, method } = message;
  if (method === undefined) takeResponse(client, message, body, deps);
  else if (id === undefined) takeNotification(client, message, body, deps);
  else await answerRequest(client, { ...message, id, method }, body, deps);
}

function mustBePlain(): ProblemError {
  return new ProblemError(
    'unsupported_media_type',
    'Send the body in UTF-8, without a Content-Encoding.',
  );
}
