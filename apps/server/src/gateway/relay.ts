import type { UnusableCredential } from '../credentials/outcome.ts';
import { readMessageIds } from '../mcp/message-ids.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { missingCredential } from './credential-error.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import type { GatewayLimits } from './limits.ts';
import { bodyTooLarge } from './problems.ts';
import { readWhole } from './request-body.ts';
import { scanMessageIds } from './scan-message-ids.ts';

/**
 * Sends an admitted call upstream, or refuses it for its credential. Does nothing if the call has
 * ended meanwhile.
 *
 * @throws ProblemError `payload_too_large`, `credential_unavailable`
 */
export function relay(call: Call, admission: Admission, deps: ExchangeDeps): void {
  if (call.hasEnded) return;
  call.admission = admission;
  const { credential, route, session } = admission;
  const { limits, openCalls } = deps;
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

function refuseWithoutCredential(
  call: Call,
  credential: UnusableCredential,
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
