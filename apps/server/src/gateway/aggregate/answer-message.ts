import type { Envelope, Message } from '../../mcp/envelope/message.ts';
import { refusalOf } from '../../mcp/server/reply.ts';
import { headerFault } from '../policy/header-fault.ts';
import { judgedHeadersOf } from '../policy/judged-headers.ts';
import { type AnswerRequestDeps, answerRequest } from './answer-request.ts';
import type { Admitted, ClientCall } from './client-call.ts';
import { takeNotification, takeResponse } from './messages-of-client.ts';
import { sessionOf } from './session-of.ts';

const INVALID_REQUEST = -32600;
const HEADER_MISMATCH = -32020;

/** Answers one message of a client, or takes it. @param body of the message alone */
export function answerMessage(
  admitted: Admitted,
  envelope: Envelope,
  body: Buffer,
  deps: AnswerRequestDeps,
): void {
  const { call } = admitted;
  if (envelope.kind !== 'message') {
    refuseInvalid(call, envelope.kind === 'batch' ? 'A batch is inside a batch.' : envelope.reason);
    return;
  }
  const { message } = envelope;
  const fault = headerFault(message, judgedHeadersOf(call.req.rawHeaders));
  if (fault !== undefined) {
    const id = message.id ?? 'null';
    call.answer(400, refusalOf(id, { code: HEADER_MISMATCH, message: fault }));
    return;
  }
  answerInSession(admitted, message, body, deps).catch((error: unknown) => call.refuse(error));
}

export function refuseInvalid(call: ClientCall, message: string): void {
  call.answer(400, refusalOf('null', { code: INVALID_REQUEST, message }));
}

async function answerInSession(
  admitted: Admitted,
  message: Message,
  body: Buffer,
  deps: AnswerRequestDeps,
): Promise<void> {
  const found = sessionOf(admitted, message, deps);
  const session = found instanceof Promise ? await found : found;
  const client = { ...admitted, session };
  const { id, method } = message;
  if (method === undefined) takeResponse(client, message, body, deps);
  else if (id === undefined) takeNotification(client, message, body, deps);
  else await answerRequest(client, { ...message, id, method }, body, deps);
}
