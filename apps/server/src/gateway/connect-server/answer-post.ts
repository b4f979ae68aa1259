import { type Era, FIRST_MODERN_VERSION, isLegacyVersion } from '../../mcp/era.ts';
import { INVALID_REQUEST, UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import { type Requests, type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest } from '../../mcp/server/modern-check.ts';
import { failed, type Reply, responseTo } from '../../mcp/server/reply.ts';
import { type Offer, serve } from '../../mcp/server/serve.ts';
import { isLegacySpoken, isModernSpoken, type SpokenEras } from '../../mcp/spoken-eras.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import type { ConnectServerDeps } from './deps.ts';
import { connectOffer } from './offer.ts';
import type { ConnectAdvice } from './tool.ts';

/** Answers a whole body, in the era of its messages if the upstream speaks that. */
export async function answerPost(
  call: Call,
  admission: Admission,
  advice: ConnectAdvice,
  spoken: SpokenEras,
  body: Buffer,
  deps: ConnectServerDeps,
): Promise<void> {
  const messages = readMessages(body);
  if (messages.kind === 'malformed' || messages.kind === 'nothing') {
    call.refuseInRpc(advice.error, messages);
    return;
  }
  if (messages.kind === 'notifications') {
    call.answer(202, undefined);
    return;
  }
  const era = eraOf(call, messages);
  const request = messages.kind === 'request' ? messages.request : undefined;
  const refusal = refusalOf(era, request, admission, advice, spoken);
  if (refusal !== undefined) {
    call.answer(400, responseTo(request?.id ?? 'null', refusal));
    return;
  }
  const offer = connectOffer(call, era, admission, advice, spoken, deps);
  if (messages.kind === 'batch') await answerBatch(call, messages.requests, offer);
  else await answerRequest(call, messages.request, era, offer);
}

async function answerRequest(
  call: Call,
  request: RpcRequest,
  era: Era,
  offer: Offer<Reply>,
): Promise<void> {
  const { id, method } = request;
  const { protocolVersion } = call.inbound;
  if (era === 'legacy' && method !== 'initialize' && !isLegacyVersion(protocolVersion)) {
    // 2025-11-25 transports, "Protocol Version Header".
    call.answer(400, responseTo(id, failed(INVALID_REQUEST, 'Unsupported protocol version.')));
    return;
  }
  const answer = await serve(request, era, call.request.headers, offer);
  if (answer === undefined) return;
  const { status, reply, sessionId } = answer;
  const headers = sessionId === undefined ? [] : ['Mcp-Session-Id', sessionId];
  call.answer(status, responseTo(id, reply), headers);
}

async function answerBatch(
  call: Call,
  requests: readonly RpcRequest[],
  offer: Offer<Reply>,
): Promise<void> {
  const answers = requests.map(async (request) => {
    const answer = await serve(request, 'legacy', call.request.headers, offer);
    return answer === undefined ? [] : responseTo(request.id, answer.reply);
  });
  call.answer(200, `[${(await Promise.all(answers)).flat().join(',')}]`);
}

/** The client has begun a session of ours, or one with the upstream, which has lost its credential. */
export function isInSession({ connectSession, sessionMode }: Admission): boolean {
  return connectSession !== undefined || sessionMode === 'legacy';
}

/** A proxy may have dropped the header: then the body says that it is modern, and the answer what is missing. */
function eraOf({ era }: Call, messages: Requests): Era {
  const isModern = messages.kind === 'request' && isModernRequest(messages.request);
  return isModern ? 'modern' : era;
}

/**
 * The refusal of an era that the upstream does not speak: as a server without it, with the link for those who read it.
 *
 * @param request undefined for a batch
 */
function refusalOf(
  era: Era,
  request: RpcRequest | undefined,
  admission: Admission,
  { name, error }: ConnectAdvice,
  spoken: SpokenEras,
): Reply | undefined {
  const text = `Unsupported protocol version: “${name}” does not speak it. ${error.message}`;
  if (era === 'legacy') {
    if (isLegacySpoken(spoken) || isInSession(admission)) return undefined;
    const requested = request?.params.protocolVersion;
    const version = typeof requested === 'string' ? { requested } : {};
    const data = { supported: [FIRST_MODERN_VERSION], ...version, ...error.data };
    return failed(UNSUPPORTED_VERSION, text, data);
  }
  // To a client of both eras, an error that is not the modern era's means: initialize (2026-07-28 versioning, "Backward
  // Compatibility").
  if (!isModernSpoken(spoken)) return failed(error.code, text, error.data);
  const isBatch = request === undefined;
  return isBatch ? failed(INVALID_REQUEST, 'This protocol version has no batches.') : undefined;
}
