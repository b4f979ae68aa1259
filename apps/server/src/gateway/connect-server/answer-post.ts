import { helloOf } from '../../mcp/client-hello.ts';
import { isLegacyVersion } from '../../mcp/era.ts';
import { INVALID_PARAMS, INVALID_REQUEST } from '../../mcp/errors.ts';
import { type Requests, type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest, modernFault } from '../../mcp/server/modern-check.ts';
import { failed, type Reply, responseTo } from '../../mcp/server/reply.ts';
import { isLegacySpoken, isModernSpoken } from '../../mcp/spoken-eras.ts';
import type { Admission } from '../admission.ts';
import { sessionCallerOf } from '../admission.ts';
import type { Call } from '../call.ts';
import type { ConnectAdvice } from './connect-advice.ts';
import { ConnectStream } from './connect-stream.ts';
import type { ConnectServerDeps } from './deps.ts';
import { agreedVersion, legacyReply } from './legacy.ts';
import { modernReply } from './modern.ts';
import { refuseLegacy, refuseModern } from './refused-era.ts';
import { listenTexts } from './stream-texts.ts';

/** Answers a whole body, in the era of its messages. */
export function answerPost(
  call: Call,
  admission: Admission,
  advice: ConnectAdvice,
  body: Buffer,
  deps: ConnectServerDeps,
): void {
  const messages = readMessages(body);
  if (messages.kind === 'malformed' || messages.kind === 'nothing') {
    call.refuseInRpc(advice.error, messages);
  } else if (messages.kind === 'notifications') {
    call.answer(202, undefined);
  } else if (isModern(call, messages)) {
    if (isModernSpoken(advice.eras)) answerModern(call, advice, messages, deps);
    else refuseModern(call, advice, messages);
  } else if (isLegacySpoken(advice.eras) || isInSession(admission)) {
    answerLegacy(call, admission, advice, messages, deps);
  } else {
    refuseLegacy(call, advice, messages);
  }
}

/** In one of ours, or in one with the upstream, which has lost its credential. */
export function isInSession({ connectSession, sessionMode }: Admission): boolean {
  return connectSession !== undefined || sessionMode === 'legacy';
}

/** The body tells too: a proxy may have dropped the header, and `modernFault` says so. */
function isModern({ era }: Call, messages: Requests): boolean {
  return era === 'modern' || (messages.kind === 'request' && isModernRequest(messages.request));
}

function answerLegacy(
  call: Call,
  { route, caller }: Admission,
  advice: ConnectAdvice,
  messages: Requests,
  { connectSessions, version }: ConnectServerDeps,
): void {
  const reply = (request: RpcRequest) =>
    responseTo(request.id, legacyReply(request, advice, version));
  if (messages.kind === 'batch') {
    call.answer(200, `[${messages.requests.map(reply).join(',')}]`);
    return;
  }
  const { request } = messages;
  if (request.method === 'initialize') {
    const hello = helloOf(request, agreedVersion(request.params.protocolVersion, advice));
    const id = connectSessions.issue(route, sessionCallerOf(caller), hello);
    call.answer(200, reply(request), ['Mcp-Session-Id', id]);
  } else if (isLegacyVersion(call.inbound.protocolVersion)) {
    call.answer(200, reply(request));
  } else {
    // 2025-11-25 transports, "Protocol Version Header".
    answer(call, 400, request, failed(INVALID_REQUEST, 'Unsupported protocol version.'));
  }
}

function answerModern(
  call: Call,
  advice: ConnectAdvice,
  messages: Requests,
  deps: ConnectServerDeps,
): void {
  if (messages.kind === 'batch') {
    const error = failed(INVALID_REQUEST, 'This protocol version has no batches.');
    call.answer(400, responseTo('null', error));
    return;
  }
  const { request } = messages;
  const isListening = request.method === 'subscriptions/listen';
  const own = isListening ? undefined : modernReply(request, advice, deps.version);
  if (!isListening && own === undefined) {
    answer(call, 200, request, { error: advice.error });
    return;
  }
  const fault = modernFault(request, call.request.headers);
  if (fault !== undefined) answer(call, 400, request, fault);
  else if (own !== undefined) answer(call, own.status, request, own.reply);
  else listen(call, request, deps);
}

function listen(call: Call, request: RpcRequest, { limits, openCalls }: ConnectServerDeps): void {
  const texts = listenTexts(request, call.requestId);
  if (texts === undefined) {
    const error = failed(INVALID_PARAMS, 'Invalid params: notifications is required.');
    answer(call, 200, request, error);
    return;
  }
  const stream = new ConnectStream(call, texts, limits);
  stream.start();
  if (texts.isOver) stream.end();
  else openCalls.reauthorizeIfChanged(call);
}

function answer(call: Call, status: number, { id }: RpcRequest, reply: Reply): void {
  call.answer(status, responseTo(id, reply));
}
