import { type Era, FIRST_MODERN_VERSION, isLegacyVersion } from '../../mcp/era.ts';
import { INVALID_REQUEST, UNSUPPORTED_VERSION } from '../../mcp/errors.ts';
import { type Requests, type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { isModernRequest } from '../../mcp/server/modern-check.ts';
import { failed, type Reply, responseTo } from '../../mcp/server/reply.ts';
import { type Offer, serve } from '../../mcp/server/serve.ts';
import { isLegacySpoken, isModernSpoken, type SpokenEras } from '../../mcp/spoken-eras.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import { answerOf, type OwnAnswer } from '../own-answer.ts';
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
): Promise<OwnAnswer | undefined> {
  const messages = readMessages(body);
  if (messages.kind === 'malformed' || messages.kind === 'nothing') {
    return call.rpcAnswer(advice.error, messages);
  }
  if (messages.kind === 'notifications') return answerOf(202, undefined);
  const era = eraOf(call, messages);
  const request = messages.kind === 'request' ? messages.request : undefined;
  const refusal = refusalOf(era, request, admission, advice, spoken);
  if (refusal !== undefined) {
    return answerOf(400, responseTo(request?.id ?? 'null', refusal));
  }
  const offer = connectOffer(call, era, admission, advice, spoken, deps);
  return messages.kind === 'batch'
    ? answerBatch(call, messages.requests, offer)
    : answerRequest(call, messages.request, era, offer);
}

async function answerRequest(
  call: Call,
  request: RpcRequest,
  era: Era,
  offer: Offer<Reply>,
): Promise<OwnAnswer | undefined> {
  const { id, method } = request;
  const { protocolVersion } = call.inbound;
  if (era === 'legacy' && method !== 'initialize' && !isLegacyVersion(protocolVersion)) {
    // 2025-11-25 transports, "Protocol Version Header".
    return answerOf(400, responseTo(id, failed(INVALID_REQUEST, 'Unsupported protocol version.')));
  }
  const answer = await serve(request, era, call.request.headers, offer);
  if (answer === undefined) return undefined;
  const { status, reply, sessionId } = answer;
  const headers = sessionId === undefined ? [] : ['Mcp-Session-Id', sessionId];
  return answerOf(status, responseTo(id, reply), headers);
}

async function answerBatch(
  call: Call,
  requests: readonly RpcRequest[],
  offer: Offer<Reply>,
): Promise<OwnAnswer> {
  const answers = requests.map(async (request) => {
    const answer = await serve(request, 'legacy', call.request.headers, offer);
    return answer === undefined ? [] : responseTo(request.id, answer.reply);
  });
  return answerOf(200, `[${(await Promise.all(answers)).flat().join(',')}]`);
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
