import type { Message } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { HEADER_MISMATCH, INVALID_REQUEST } from '../../mcp/errors.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import { refusalOf } from '../../mcp/server/reply.ts';
import type { GatewayLimits } from '../limits.ts';
import { mustBePlain } from '../own-answer.ts';
import { headerFault, judgedHeadersOf } from '../policy/judged-headers.ts';
import { type AnswerRequestDeps, answerRequest } from './answer-request.ts';
import type { Admitted, ClientCall } from './client-call.ts';
import { takeNotification, takeResponse } from './messages-of-client.ts';
import { sessionOf } from './session-of.ts';

export interface AnswerPostDeps extends AnswerRequestDeps {
  readonly limits: GatewayLimits;
}

const NO_BATCHES =
  'This URL takes no batches, which MCP 2025-06-18 has removed. Send each message by itself.';

/** Reads the message that a client has sent, and answers or takes it. @throws ProblemError `unsupported_media_type` */
export async function answerPost(admitted: Admitted, deps: AnswerPostDeps): Promise<void> {
  const { call } = admitted;
  const headers = judgedHeadersOf(call.request.rawHeaders);
  if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) throw mustBePlain();
  const body = await call.request.readEntireBody(call, deps.limits);
  const envelope = await envelopeOf(body);
  if (envelope.kind !== 'message') {
    refuseInvalid(call, envelope.kind === 'batch' ? NO_BATCHES : envelope.reason);
    return;
  }
  const { message } = envelope;
  if (message.fault !== undefined) {
    refuseInvalid(call, message.fault);
    return;
  }
  const fault = headerFault(message, headers);
  if (fault !== undefined) {
    const id = message.id ?? 'null';
    call.answer(400, refusalOf(id, { code: HEADER_MISMATCH, message: fault }));
    return;
  }
  const { token, caller, application } = admitted;
  const session = await sessionOf(admitted, message, deps);
  const client = { call, token, caller, application, session };
  if (isRequest(message)) await answerRequest(client, message, body, deps);
  else if (message.method === undefined) await takeResponse(client, message, body, deps);
  else takeNotification(client, message, body, deps);
}

function refuseInvalid(call: ClientCall, message: string): void {
  call.answer(400, refusalOf('null', { code: INVALID_REQUEST, message }));
}

function isRequest(
  message: Message,
): message is Message & { readonly id: string; readonly method: string } {
  return message.id !== undefined && message.method !== undefined;
}
