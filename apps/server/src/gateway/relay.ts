import type { UnusableCredential } from '../credentials/outcome.ts';
import { readMessageIds } from '../mcp/message-ids.ts';
import type { Admission } from './admission.ts';
import type { ConsentRequired } from './authorize-call.ts';
import type { Call } from './call.ts';
import { missingCredential } from './credential-error.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import type { GatewayLimits } from './limits.ts';
import { checkNoLoop } from './loop-mark.ts';
import { bodyTooLarge, noStream } from './problems.ts';
import { readWhole } from './request-body.ts';
import { scanMessageIds } from './scan-message-ids.ts';

/**
 * Sends an admitted call upstream, or refuses it for its credential. Does nothing if the call has
 * ended meanwhile.
 *
 * @throws ProblemError `method_not_allowed`, `loop_detected`, `payload_too_large`, `credential_unavailable`
 */
export function relay(call: Call, admission: Admission, deps: ExchangeDeps): void {
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
  if (credential.kind !== 'ready') {
    refuseWithoutCredential(call, credential, route.integrationId, limits);
    return;
  }
  if (session !== undefined) call.enterSession(session);
  openCalls.recheckIfChanged(call);
  new Exchange(call, admission, credential, deps).start();
}

/**
 * A GET that belongs to no session of streamable HTTP. Its client speaks HTTP+SSE, or is probing for it:
 * it would send its messages wherever the first event tells it to.
 */
function isOutsideSession({ req, inbound }: Call): boolean {
  const { sessionId, protocolVersion } = inbound;
  return req.method === 'GET' && sessionId === undefined && protocolVersion === undefined;
}

function refuseWithoutCredential(
  call: Call,
  credential: UnusableCredential | ConsentRequired,
  integrationId: string,
  { wholeBodyBytes, requestBytes, bodySilence }: GatewayLimits,
): void {
  const { req, inbound } = call;
  const { contentLength } = inbound;
  const error = missingCredential(credential, integrationId);
  if (req.method !== 'POST') {
    call.refuseForCredential(error, undefined);
  } else if (contentLength && contentLength <= wholeBodyBytes) {
    readWhole(req, contentLength, (body) => call.refuseForCredential(error, readMessageIds(body)));
  } else {
    scanMessageIds(req, { bytes: requestBytes, silence: bodySilence }, (ids) =>
      call.refuseForCredential(error, ids),
    );
  }
}
