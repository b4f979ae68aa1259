import type { GatewaySessions } from '../sessions/sessions.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { connectPlaceOf } from './connect-place.ts';
import { isAwaited } from './connect-server/awaited.ts';
import { serveConnect } from './connect-server/connect-server.ts';
import { connectSessionEnded } from './connect-server/connect-session-ended.ts';
import type { ConnectServerDeps } from './connect-server/deps.ts';
import { answerRepeated, mayBeRepeated } from './connect-server/repeated-call.ts';
import { missingCredential } from './credential-error.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import { checkNoLoop } from './loop-mark.ts';
import type { OpenCalls } from './open-calls.ts';
import { bodyTooLarge, noStream } from './problems.ts';
import { refuseForCredential } from './refuse-for-credential.ts';

export interface RelayDeps extends ExchangeDeps, ConnectServerDeps {
  readonly openCalls: OpenCalls;
  readonly sessions: GatewaySessions;
}

/**
 * Sends an admitted call upstream. Without a credential the call is answered by the connect server if
 * its caller can mend that, and refused otherwise. Does nothing if the call has ended meanwhile.
 *
 * @throws ProblemError `method_not_allowed`, `loop_detected`, `payload_too_large`, `session_not_found`,
 *   `credential_unavailable`
 */
export function relay(call: Call, admission: Admission, deps: RelayDeps): void {
  if (call.hasEnded) return;
  call.admission = admission;
  if (isOutsideSession(call)) {
    throw noStream('There is no event stream outside a session: begin with a POST of initialize.');
  }
  const { credential, route, session } = admission;
  const { limits, openCalls } = deps;
  checkNoLoop(call.inbound, route.loopMark);
  const { contentLength } = call.inbound;
  if (contentLength !== undefined && contentLength > limits.requestBytes) {
    throw bodyTooLarge(limits.requestBytes);
  }
  if (isAwaited(credential)) {
    serveConnect(call, admission, credential, deps);
    return;
  }
  // The client initializes anew, and meets the upstream.
  if (call.connectSession !== undefined) throw connectSessionEnded(credential);
  if (credential.kind !== 'ready') {
    const place = connectPlaceOf(deps.publicUrl, route.integrationId);
    refuseForCredential(call, missingCredential(credential, place), limits);
    return;
  }
  if (session !== undefined) call.enterSession(session);
  openCalls.recheckIfChanged(call);
  const relayed = (body?: Buffer) => new Exchange(call, admission, credential, deps).start(body);
  if (mayBeRepeated(call, deps)) answerRepeated(call, admission, deps, relayed);
  else relayed();
}

/**
 * A GET that belongs to no session of streamable HTTP. Its client speaks HTTP+SSE, or is probing for it:
 * it would send its messages wherever the first event tells it to.
 */
function isOutsideSession({ req, inbound }: Call): boolean {
  const { sessionId, protocolVersion } = inbound;
  return req.method === 'GET' && sessionId === undefined && protocolVersion === undefined;
}
