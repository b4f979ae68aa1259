import type { Credentials } from '../credentials/credentials.ts';
import type { ReadyCredential, UnusableCredential } from '../credentials/outcome.ts';
import type { Egress } from '../egress/egress.ts';
import type { UpstreamEras } from '../eras/upstream-eras.ts';
import { isLegacySpoken } from '../mcp/spoken-eras.ts';
import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission, ConsentRequired } from './admission.ts';
import { type AdoptSessionDeps, adoptSession } from './adoption/adopt-session.ts';
import type { Call } from './call.ts';
import type { BeginCall } from './call-audit.ts';
import { serveConnect } from './connect-server/connect-server.ts';
import type { ConnectServerDeps } from './connect-server/deps.ts';
import { answerRepeated, mayBeRepeated } from './connect-server/repeated-call.ts';
import { connectError, connectPageOf, missingCredential } from './credential-error.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import type { OpenCalls } from './open-calls.ts';
import type { OpenStreams } from './open-streams.ts';
import { FilteredResponse } from './policy/filtered-response.ts';
import type { Filtering } from './policy/filtering.ts';
import type { RulesDeps } from './policy/rules-now.ts';
import { underRules } from './policy/under-rules.ts';
import { noStream, postAlone } from './problems.ts';
import {
  type BodyNeed,
  BodyStream,
  messageIdsOf,
  type RequestBody,
  readBody,
} from './request-body.ts';
import { type CallResponse, RelayedResponse } from './response.ts';
import { checkNoLoop } from './routes.ts';
import { refuseTooLarge } from './too-large.ts';
import { type UnderLimitsDeps, underLimits } from './under-limits.ts';

export interface RelayDeps
  extends ExchangeDeps,
    ConnectServerDeps,
    AdoptSessionDeps,
    RulesDeps,
    UnderLimitsDeps {
  readonly openCalls: OpenCalls;
  readonly openStreams: OpenStreams;
  readonly sessions: GatewaySessions;
  readonly egress: Pick<Egress, 'poolFor' | 'request'>;
  readonly credentials: Credentials;
  readonly eras: UpstreamEras;
  /** Undefined where calls do not wait for the audit. */
  readonly beginCall?: BeginCall | undefined;
}

/**
 * Sends an admitted call upstream. Without a credential the call is answered by the connect server if
 * the caller can fix that, and refused otherwise. Does nothing if the call has already ended.
 *
 * @throws ProblemError `method_not_allowed`, `loop_detected`, `rate_limited`, `payload_too_large`, `overloaded`,
 *   `credential_unavailable`
 */
export function relay(call: Call, admission: Admission, deps: RelayDeps): void {
  if (call.hasEnded) return;
  call.admit(admission);
  if (isOutsideSession(call)) {
    throw noStream('There is no event stream outside a session: begin with a POST of initialize.');
  }
  const { credential, route, session, connectSession } = admission;
  const { limits, openCalls } = deps;
  if (endsNothing(call, admission)) throw postAlone();
  checkNoLoop(call.inbound, route.loopMark);
  const { contentLength } = call.inbound;
  if (contentLength !== undefined && contentLength > limits.requestBytes) {
    throw refuseTooLarge(call.req, limits.requestBytes);
  }
  const need = bodyNeedOf(call, admission, deps);
  if (connectSession !== undefined && credential.kind === 'ready') {
    void adoptSession(call, admission, { connectSession, credential }, need, deps, (adopted) =>
      relay(call, adopted, deps),
    );
    return;
  }
  if (credential.kind !== 'ready') {
    answerUnconnected(call, admission, credential, need, deps);
    return;
  }
  if (session !== undefined) call.enterSession(session);
  if (isOfClient(call)) {
    // A modern session is that of all clients with one token.
    const own = admission.sessionMode === 'legacy' ? session : undefined;
    const release = deps.openStreams.enter(admission.caller, own);
    call.holdReservation({ kind: 'reserved', release });
  }
  openCalls.reauthorizeIfChanged(call);
  readBody(call, need, limits, (body) => {
    call.notes.body = body;
    const isWhole = need !== 'ids' && body instanceof Buffer;
    if (isWhole && mayBeRepeated(call, deps) && answerRepeated(call, admission, deps, body)) return;
    underRules(call, admission, body, deps, (filtering) => {
      const sendFiltered = (by: Filtering | undefined): void =>
        send(call, admission, credential, body, by, deps);
      const goOn = (hasWaited: boolean): void => {
        if (hasWaited) underRules(call, admission, body, deps, sendFiltered);
        else sendFiltered(filtering);
      };
      const begin = (hasWaited: boolean): void => {
        if (deps.beginCall === undefined) goOn(hasWaited);
        else whenBegun(call, deps.beginCall, () => goOn(true));
      };
      const isCounted = route.limits !== undefined && call.request.isOwn !== true;
      if (!isCounted || !(body instanceof Buffer)) begin(false);
      else underLimits(call, admission, body, deps, begin);
    });
  });
}

/** Calls `pass` once the audit has stored that the call begins. Without that it is refused. */
function whenBegun(call: Call, beginCall: BeginCall, pass: () => void): void {
  beginCall(call)
    .then(() => {
      if (!call.hasEnded) pass();
    })
    .catch((error: unknown) => call.refuse(error));
}

function send(
  call: Call,
  admission: Admission,
  credential: ReadyCredential,
  body: RequestBody,
  filtering: Filtering | undefined,
  deps: RelayDeps,
): void {
  const judged = call.admission ?? admission;
  const response = respond(call, filtering, body, deps);
  new Exchange(call, judged, credential, response, deps).start(body);
}

/**
 * The response to a call that goes upstream. It is read under rules about names, and for a client of several integrations,
 * which must not answer for each other.
 */
function respond(
  call: Call,
  filtering: Filtering | undefined,
  body: RequestBody,
  deps: RelayDeps,
): CallResponse {
  const relayed = new RelayedResponse(call, deps);
  const isOfAggregate = call.request !== call.req;
  const isRead = filtering !== undefined || isOfAggregate;
  if (!isRead || call.request.method === 'DELETE') return relayed;
  return new FilteredResponse(relayed, call, filtering, body, deps);
}

/** @throws ProblemError `credential_unavailable` */
function answerUnconnected(
  call: Call,
  admission: Admission,
  credential: UnusableCredential | ConsentRequired,
  need: BodyNeed,
  deps: RelayDeps,
): void {
  call.notes.addReason(credential.reason);
  const answer = unconnectedAnswer(call, admission, credential, deps);
  readBody(call, need, deps.limits, (body) => {
    call.notes.body = body;
    underRules(call, admission, body, deps, () => {
      answer(body);
      // Nothing goes upstream.
      if (body instanceof BodyStream) body.destroy();
    });
  });
}

/** What answers the body of a call without a credential. @throws ProblemError `credential_unavailable` */
function unconnectedAnswer(
  call: Call,
  admission: Admission,
  credential: UnusableCredential | ConsentRequired,
  deps: RelayDeps,
): (body: RequestBody) => void {
  const page = connectPageOf(deps.publicUrl, admission.route.integrationId);
  if (credential.kind === 'needs_user') {
    const error = connectError(credential, page);
    return (body) => serveConnect(call, admission, credential, error, body, deps);
  }
  const error = missingCredential(credential, page);
  return (body) => call.refuseInRpc(error, messageIdsOf(body));
}

function bodyNeedOf(call: Call, { credential, route }: Admission, deps: RelayDeps): BodyNeed {
  if (call.request.method !== 'POST') return 'none';
  const isToldBefore = deps.beginCall !== undefined;
  if (isToldBefore || route.policy?.hasNameRules || route.limits !== undefined) return 'judged';
  const isReadHere = credential.kind !== 'ready' || mayBeRepeated(call, deps);
  return isReadHere ? 'whole' : 'ids';
}

/** A GET stream that a client has opened itself: those behind one of the one URL are bounded by it. */
function isOfClient({ request, req }: Call): boolean {
  return request.method === 'GET' && request === req;
}

/**
 * A GET that belongs to no session of streamable HTTP. Its client speaks HTTP+SSE, or is probing for it:
 * it would send its messages wherever the first event tells it to.
 */
function isOutsideSession({ request, inbound }: Call): boolean {
  if (request.method !== 'GET' || request.aggregateSession !== undefined) return false;
  return inbound.sessionId === undefined && inbound.protocolVersion === undefined;
}

/** A DELETE without a session, at an upstream that is known to have no sessions (2026-07-28 transports, "Streamable HTTP"). */
function endsNothing({ request }: Call, { route, session, connectSession }: Admission): boolean {
  if (request.method !== 'DELETE' || session !== undefined) return false;
  return connectSession === undefined && !isLegacySpoken(route.spokenEras);
}
