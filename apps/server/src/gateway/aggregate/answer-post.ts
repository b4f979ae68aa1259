import type { Message } from '../../mcp/envelope/message.ts';
import { envelopeOf } from '../../mcp/envelope/read-envelope.ts';
import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { HEADER_MISMATCH, INVALID_REQUEST } from '../../mcp/errors.ts';
import { isPlainUtf8 } from '../../mcp/plain-utf8.ts';
import { type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest } from '../../mcp/server/modern-check.ts';
import { failed, refusalOf, responseOfBytes } from '../../mcp/server/reply.ts';
import { serve } from '../../mcp/server/serve.ts';
import type { GatewayLimits } from '../limits.ts';
import { mustBePlain } from '../own-answer.ts';
import { headerFault, judgedHeadersOf } from '../policy/judged-headers.ts';
import {
  type CallIntegrationDeps,
  callIntegration,
  type TargetedMessage,
} from './call-integration.ts';
import type { Admitted, ClientCall, InSession } from './client-call.ts';
import { sessionOf } from './client-session.ts';
import { CONNECT_TOOL } from './connect-tool.ts';
import { takeNotification, takeResponse } from './messages-of-client.ts';
import { type ApplicationOfferDeps, applicationOffer } from './offer.ts';
import { callByName } from './search/search-tools.ts';
import { CALL_TOOL, hasSearch, SEARCH_TOOL } from './search/tools.ts';
import { TARGETED } from './target.ts';

export interface AnswerPostDeps extends CallIntegrationDeps, ApplicationOfferDeps {
  readonly lists: CallIntegrationDeps['lists'];
  readonly sessions: CallIntegrationDeps['sessions'];
  readonly limits: GatewayLimits;
}

/** Bytes of a request that is parsed here: what we answer has no reason to be longer. */
const MAX_OWN = 64 * 1024;

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

/** Answers a request, or sends it to the integration that it is for. */
export async function answerRequest(
  client: InSession,
  message: TargetedMessage & { readonly method: string },
  body: Buffer,
  deps: AnswerPostDeps,
): Promise<void> {
  const { method } = message;
  const { era } = client.call;
  // A version that differs from the header, or that we do not speak, is refused below.
  const isOfEra =
    era === 'modern'
      ? client.call.inbound.protocolVersion === FIRST_MODERN_VERSION
      : message.protocolVersion === undefined;
  const ownTool = ownToolOf(client, message);
  if (isOfEra && ownTool === CALL_TOOL) await callByName(client, message, body, deps);
  else if (isOfEra && TARGETED[era].has(method) && ownTool === undefined) {
    await callIntegration(client, message, body, deps);
  } else {
    const messages = body.length <= MAX_OWN ? readMessages(body) : undefined;
    if (messages?.kind === 'request') await answerOwn(client, messages.request, body, deps);
    else client.call.reply(message.id, failed(INVALID_REQUEST, 'The request is too long.'), 400);
  }
}

/** Undefined for requests and tools that are not ours. */
function ownToolOf({ application }: InSession, { method, name }: Message): string | undefined {
  if (method !== 'tools/call' || name === undefined) return undefined;
  const isSearch = hasSearch(application) && (name === SEARCH_TOOL || name === CALL_TOOL);
  return isSearch || name === CONNECT_TOOL ? name : undefined;
}

/** Answers what no single integration answers. */
async function answerOwn(
  client: InSession,
  request: RpcRequest,
  body: Buffer,
  deps: AnswerPostDeps,
): Promise<void> {
  const { call } = client;
  const era = isModernRequest(request) ? 'modern' : call.era;
  const offer = applicationOffer(client, era, body, deps);
  const answer = await serve(request, era, call.request.headers, offer);
  if (answer === undefined) return;
  const { status, reply, sessionId } = answer;
  const headers = sessionId === undefined ? [] : ['Mcp-Session-Id', sessionId];
  if ('written' in reply) call.answerBytes(responseOfBytes(request.id, reply.written));
  else call.reply(request.id, reply, status, headers);
}
