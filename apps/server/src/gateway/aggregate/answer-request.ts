import type { Message } from '../../mcp/envelope/message.ts';
import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../mcp/errors.ts';
import { isLogLevel } from '../../mcp/log-levels.ts';
import { listKeyOf } from '../../mcp/methods.ts';
import { type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest, modernFault } from '../../mcp/server/modern-check.ts';
import { failed, type Reply } from '../../mcp/server/reply.ts';
import { sessionCallerOf } from '../admission.ts';
import { answerList, type ListDeps } from './answer-list.ts';
import {
  type CallIntegrationDeps,
  callIntegration,
  type TargetedMessage,
} from './call-integration.ts';
import type { InSession } from './client-call.ts';
import { CONNECT_TOOL, callConnectTool } from './connect-tool.ts';
import { discovered, initialized } from './handshake.ts';
import { passToBegun } from './messages-of-client.ts';
import { callByName } from './search/call-by-name.ts';
import { type SearchDeps, searchTools } from './search/search-tools.ts';
import { CALL_TOOL, hasSearch, SEARCH_TOOL } from './search/tools.ts';
import { listenSpeech } from './streams/listen-speech.ts';
import { MergedStream, type SpeechDeps } from './streams/merged-stream.ts';
import type { AggregateStreams } from './streams/streams.ts';
import { TARGETED } from './target.ts';

export interface AnswerRequestDeps extends CallIntegrationDeps, ListDeps, SearchDeps, SpeechDeps {
  readonly streams: Pick<AggregateStreams, 'open'>;
  /** Of the service. */
  readonly version: string;
}

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

/** What is answered without an integration, or by several. */
async function answerOwn(
  client: InSession,
  request: RpcRequest,
  body: Buffer,
  deps: AnswerRequestDeps,
): Promise<void> {
  const { call, application } = client;
  const isModern = call.era === 'modern' || isModernRequest(request);
  const fault = isModern ? modernFault(request, call.req.headers) : undefined;
  if (fault !== undefined) {
    call.reply(request.id, fault, 400);
    return;
  }
  const { method, id, params } = request;
  const list = listKeyOf(method);
  if (list !== undefined) await answerList(client, list, { id, cursor: params.cursor }, deps);
  else if (method === 'tools/call' && params.name === SEARCH_TOOL)
    await searchTools(client, request, deps);
  else if (method === 'tools/call') call.reply(id, await callConnectTool(client, request, deps));
  else if (isModern && method === 'server/discover') {
    call.reply(id, discovered(application, deps.version));
  } else if (!isModern && method === 'initialize') await initialize(client, request, deps);
  else if (!isModern && method === 'ping') call.reply(id, { result: {} });
  else if (!isModern && method === 'logging/setLevel') {
    await setLogLevel(client, request, body, deps);
  } else if (isModern && method === 'subscriptions/listen') await listen(client, request, deps);
  else call.reply(id, methodNotFound(), isModern ? 404 : 200);
}

async function initialize(
  { call, caller, application }: InSession,
  request: RpcRequest,
  { sessions, version }: AnswerRequestDeps,
): Promise<void> {
  const { reply, hello } = initialized(request, application, version);
  const place = { organizationId: application.organizationId, applicationId: application.id };
  const opened = await sessions.aggregates.open(place, sessionCallerOf(caller), hello);
  call.reply(request.id, reply, 200, ['Mcp-Session-Id', opened.clientSessionId]);
}

async function setLogLevel(
  client: InSession,
  { id, params: { level } }: RpcRequest,
  body: Buffer,
  deps: AnswerRequestDeps,
): Promise<void> {
  const { session, call } = client;
  if (session === undefined || !isLogLevel(level)) {
    call.reply(id, failed(INVALID_PARAMS, 'Invalid params: level is not one of RFC 5424.'));
    return;
  }
  await deps.sessions.aggregates.setLogLevel(session, level);
  await passToBegun(client, body, deps);
  call.reply(id, { result: {} });
}

async function listen(
  client: InSession,
  request: RpcRequest,
  deps: AnswerRequestDeps,
): Promise<void> {
  const speech = await listenSpeech(client, request, deps);
  if (speech !== undefined) await deps.streams.open(new MergedStream(client, speech, deps));
  else {
    const message = 'Invalid params: notifications is required.';
    client.call.reply(request.id, failed(INVALID_PARAMS, message));
  }
}

function methodNotFound(): Reply {
  return failed(METHOD_NOT_FOUND, 'Method not found.');
}
