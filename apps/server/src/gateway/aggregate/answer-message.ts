import type { Envelope, Message } from '../../mcp/envelope/message.ts';
import { HEADER_MISMATCH, INVALID_REQUEST } from '../../mcp/errors.ts';
import { refusalOf } from '../../mcp/server/reply.ts';
import type { AggregateSession } from '../../sessions/sessions.ts';
import { headerFault } from '../policy/header-fault.ts';
import type { JudgedHeaders } from '../policy/judged-headers.ts';
import { type AnswerRequestDeps, answerRequest } from './answer-request.ts';
import type { Admitted, ClientCall } from './client-call.ts';
import { takeNotification, takeResponse } from './messages-of-client.ts';
import { sessionOf } from './session-of.ts';

const NO_BATCHES =
  'This URL takes no batches, which MCP 2025-06-18 has removed. Send each message by itself.';

/** A message of a client that has been read. */
export interface ReadOfClient {
  readonly envelope: Envelope;
  readonly body: Buffer;
  readonly headers: JudgedHeaders;
}

/** Answers one message of a client, or takes it. */
export function answerMessage(
  admitted: Admitted,
  { envelope, body, headers }: ReadOfClient,
  deps: AnswerRequestDeps,
): void {
  const { call } = admitted;
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
  try {
    const answered = answerInSession(admitted, message, body, deps);
    answered?.catch((error: unknown) => call.refuse(error));
  } catch (error) {
    call.refuse(error);
  }
}

function refuseInvalid(call: ClientCall, message: string): void {
  call.answer(400, refusalOf('null', { code: INVALID_REQUEST, message }));
}

/** Synchronous when everything that a message needs is in memory, as in steady state. */
function answerInSession(
  admitted: Admitted,
  message: Message,
  body: Buffer,
  deps: AnswerRequestDeps,
): undefined | Promise<void> {
  const { call, token, caller, application } = admitted;
  const answer = (session: AggregateSession | undefined): undefined | Promise<void> => {
    const client = { call, token, caller, application, session };
    if (isRequest(message)) return answerRequest(client, message, body, deps);
    if (message.method === undefined) takeResponse(client, message, body, deps);
    else takeNotification(client, message, body, deps);
    return undefined;
  };
  const session = sessionOf(admitted, message, deps);
  return session instanceof Promise ? session.then(answer) : answer(session);
}

function isRequest(
  message: Message,
): message is Message & { readonly id: string; readonly method: string } {
  return message.id !== undefined && message.method !== undefined;
}
