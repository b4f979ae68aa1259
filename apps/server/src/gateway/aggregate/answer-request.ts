import type { Message } from '../../mcp/envelope/message.ts';
import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { INVALID_REQUEST } from '../../mcp/errors.ts';
import { type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest } from '../../mcp/server/modern-check.ts';
import { failed, responseOfBytes } from '../../mcp/server/reply.ts';
import { serve } from '../../mcp/server/serve.ts';
import {
  type CallIntegrationDeps,
  callIntegration,
  type TargetedMessage,
} from './call-integration.ts';
import type { InSession } from './client-call.ts';
import { CONNECT_TOOL } from './connect-tool.ts';
import { type ApplicationOfferDeps, applicationOffer } from './offer.ts';
import { callByName } from './search/call-by-name.ts';
import { CALL_TOOL, hasSearch, SEARCH_TOOL } from './search/tools.ts';
import { TARGETED } from './target.ts';

export type AnswerRequestDeps = CallIntegrationDeps & ApplicationOfferDeps;

/** Bytes of a request that is parsed here: what we answer has no reason to be longer. */
const MAX_OWN = 64 * 1024;

/** Answers a request, or sends it to the integration that it is for. */
export async function answerRequest(
  client: InSession,
  message: TargetedMessage & { readonly method: string },
  body: Buffer,
  deps: AnswerRequestDeps,
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
  deps: AnswerRequestDeps,
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
