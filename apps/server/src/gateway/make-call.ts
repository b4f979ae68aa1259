import type { Credentials } from '../credentials/credentials.ts';
import type { Egress } from '../egress/egress.ts';
import type { UpstreamEras } from '../eras/upstream-eras.ts';
import { isLegacySpoken } from '../mcp/spoken-eras.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import { type Admission, admitTo, type RouteDeps } from './admission.ts';
import { type AdoptSessionDeps, adoptSession, NOTHING_TO_ADOPT } from './adoption/adopt-session.ts';
import type { Call } from './call.ts';
import type { BeginCall } from './call-audit.ts';
import { serveConnect } from './connect-server/connect-server.ts';
import type { ConnectServerDeps } from './connect-server/deps.ts';
import { answerRepeated, mayBeRepeated } from './connect-server/tool.ts';
import { connectError, connectPageOf, missingCredential } from './credential-error.ts';
import { refuseTooLarge } from './entire-body.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import { isCounted, type LimitCallDeps, limitCall } from './limit-call.ts';
import type { GatewayLimits } from './limits.ts';
import type { OpenCalls } from './open-calls.ts';
import type { OpenStreams } from './open-streams.ts';
import { answerOf, type OwnAnswer, problemAnswer } from './own-answer.ts';
import { FilteredResponse } from './policy/filtered-response.ts';
import type { Filtering } from './policy/filtering.ts';
import { type JudgeCallDeps, judgeCall } from './policy/judge-call.ts';
import { noStream, postAlone } from './problems.ts';
import { type BodyNeed, messageIdsOf, type RequestBody } from './request-body.ts';
import { type CallResponse, RelayedResponse } from './response.ts';
import { checkNoLoop } from './routes.ts';

export interface MakeCallDeps
  extends RouteDeps,
    ExchangeDeps,
    ConnectServerDeps,
    AdoptSessionDeps,
    JudgeCallDeps,
    LimitCallDeps {
  readonly connectSessions: ConnectServerDeps['connectSessions'];
  readonly log: ExchangeDeps['log'];
  readonly openCalls: OpenCalls;
  readonly openStreams: OpenStreams;
  readonly sessions: GatewaySessions;
  readonly egress: Pick<Egress, 'poolFor' | 'request'>;
  readonly credentials: Credentials;
  readonly eras: UpstreamEras;
  readonly limits: GatewayLimits;
  /** Undefined where calls do not wait for the audit. */
  readonly beginCall?: BeginCall | undefined;
}

/**
 * Makes a call of a caller to one integration. All that happens to it before its request goes upstream stands here, in
 * its order; the exchange then ends it with the upstream's response.
 *
 * @param key of the route, see `Routes`
 * @returns the answer of ours in place of the upstream's, which nobody has written yet; undefined where the call goes on,
 *   or has ended
 * @throws ProblemError
 */
export async function makeCall(
  call: Call,
  { token, caller }: Pick<Admission, 'token' | 'caller'>,
  key: string,
  deps: MakeCallDeps,
): Promise<OwnAnswer | undefined> {
  const { notes } = call;
  const { routes, limits, beginCall } = deps;
  const { organizationId } = caller;
  notes.setCaller(caller);
  const route = routes.peek(organizationId, key) ?? (await routes.get(organizationId, key));
  notes.setRoute(route);
  let admission = await admitTo(deps, call, token, caller, route);
  if (call.hasEnded) return undefined;
  call.admit(admission);
  checkRequest(call, admission, limits);

  const adoption =
    admission.connectSession === undefined
      ? NOTHING_TO_ADOPT
      : await adoptSession(call, admission, deps);
  if (call.hasEnded) return undefined;
  if (adoption.kind === 'ended') return answerOf(204, undefined);
  if (adoption.kind === 'failed') {
    return problemAnswer(adoption.failure.problem, adoption.failure.outcome);
  }
  if (adoption.kind === 'adopted') {
    admission = adoption.admission;
    call.admit(admission);
  }
  const { credential } = admission;
  const unconnected = unconnectedAnswer(call, admission, deps);
  if (unconnected === undefined && adoption.kind !== 'refused') enter(call, admission, deps);

  const body = await call.request.readBody(call, bodyNeedOf(call, admission, deps), limits);
  notes.setBody(body);
  if (adoption.kind === 'refused') return call.rpcAnswer(adoption.error, messageIdsOf(body));
  const repeated = answerToRepeated(call, admission, body, deps);
  if (repeated !== undefined) return repeated;
  let judged = await judgeCall(call, admission, body, deps);
  notes.setEnvelope(judged.read);
  if (judged.refusal !== undefined) return judged.refusal;
  if (credential.kind !== 'ready') return unconnected?.(body);

  const mustCount = body instanceof Buffer && isCounted(call, route);
  if (mustCount) {
    const limited = await limitCall(admission, body, judged.read, deps);
    if (limited.kind === 'answer') return limited;
    call.holdReservation(limited);
  }
  if (beginCall !== undefined && !call.hasEnded) {
    const { begun, stored } = beginCall(call.recordNow(), caller);
    notes.setBegun(begun);
    await stored;
  }
  if (mustCount || beginCall !== undefined) {
    judged = await judgeCall(call, admission, body, deps, judged);
    if (judged.refusal !== undefined) return judged.refusal;
  }
  if (judged.rules.route !== admission.route) {
    admission = { ...admission, route: judged.rules.route };
    call.admit(admission);
  }
  const response = respond(call, judged.filtering, body, deps);
  new Exchange(call, admission, credential, response, deps).start(body);
  return undefined;
}

/** @throws ProblemError `method_not_allowed`, `loop_detected`, `payload_too_large` */
function checkRequest(call: Call, admission: Admission, limits: GatewayLimits): void {
  if (isOutsideSession(call)) {
    throw noStream('There is no event stream outside a session: begin with a POST of initialize.');
  }
  if (endsNothing(call, admission)) throw postAlone();
  checkNoLoop(call.inbound, admission.route.loopMark);
  const { contentLength } = call.inbound;
  if (contentLength !== undefined && contentLength > limits.requestBytes) {
    throw refuseTooLarge(call, limits.requestBytes);
  }
}

/** Enters the session, and the streams that are open to listen. @throws ProblemError `rate_limited` */
function enter(
  call: Call,
  { session, sessionMode, caller }: Admission,
  { openStreams, openCalls }: MakeCallDeps,
): void {
  if (session !== undefined) call.enterSession(session);
  if (isOfClient(call)) {
    // A modern session is that of all clients with one token.
    const own = sessionMode === 'legacy' ? session : undefined;
    const release = openStreams.enter(caller, own);
    call.holdReservation({ kind: 'reserved', release });
  }
  openCalls.reauthorizeIfChanged(call);
}

/** The answer to the call that a client repeats because the connect server asked it to. */
function answerToRepeated(
  call: Call,
  admission: Admission,
  body: RequestBody,
  deps: MakeCallDeps,
): OwnAnswer | undefined {
  if (admission.credential.kind !== 'ready' || !(body instanceof Buffer)) return undefined;
  return mayBeRepeated(call, deps) ? answerRepeated(admission, deps, body) : undefined;
}

/**
 * The response to a call that goes upstream. It is read under rules about names, and for a client of several integrations,
 * which must not answer for each other.
 */
function respond(
  call: Call,
  filtering: Filtering | undefined,
  body: RequestBody,
  deps: MakeCallDeps,
): CallResponse {
  const relayed = new RelayedResponse(call, deps);
  const isRead = filtering !== undefined || call.request.behind !== undefined;
  if (!isRead || call.request.method === 'DELETE') return relayed;
  return new FilteredResponse(relayed, call, filtering, body, deps);
}

/** Answers the body of a call without a credential; undefined with one. @throws ProblemError `credential_unavailable` */
function unconnectedAnswer(
  call: Call,
  admission: Admission,
  deps: MakeCallDeps,
): ((body: RequestBody) => OwnAnswer | Promise<OwnAnswer | undefined>) | undefined {
  const { credential, route } = admission;
  if (credential.kind === 'ready') return undefined;
  call.notes.addReasons([credential.reason]);
  const page = connectPageOf(deps.publicUrl, route.integrationId);
  if (credential.kind === 'needs_user') {
    const error = connectError(credential, page);
    return (body) => serveConnect(call, admission, credential, error, body, deps);
  }
  const error = missingCredential(credential, page);
  return (body) => call.rpcAnswer(error, messageIdsOf(body));
}

function bodyNeedOf(call: Call, { credential, route }: Admission, deps: MakeCallDeps): BodyNeed {
  if (call.request.method !== 'POST') return 'none';
  const isToldBefore = deps.beginCall !== undefined;
  if (isToldBefore || route.policy?.hasNameRules || route.limits !== undefined) return 'judged';
  const isReadHere = credential.kind !== 'ready' || mayBeRepeated(call, deps);
  return isReadHere ? 'whole' : 'ids';
}

/** A GET stream that a client has opened itself: those behind one of the one URL are bounded by it. */
function isOfClient({ request }: Call): boolean {
  return request.method === 'GET' && request.behind === undefined;
}

/**
 * A GET that belongs to no session of streamable HTTP. Its client speaks HTTP+SSE, or is probing for it:
 * it would send its messages wherever the first event tells it to.
 */
function isOutsideSession({ request, inbound }: Call): boolean {
  if (request.method !== 'GET' || request.behind?.session !== undefined) return false;
  return inbound.sessionId === undefined && inbound.protocolVersion === undefined;
}

/** A DELETE without a session, at an upstream that is known to have no sessions (2026-07-28 transports, "Streamable HTTP"). */
function endsNothing({ request }: Call, { route, session, connectSession }: Admission): boolean {
  if (request.method !== 'DELETE' || session !== undefined) return false;
  return connectSession === undefined && !isLegacySpoken(route.spokenEras);
}
