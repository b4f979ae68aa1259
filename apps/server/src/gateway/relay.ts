import { askedBy } from '../mcp/request-ids.ts';
import type { CredentialRefusal } from './answers.ts';
import type { Admission, Call } from './call.ts';
import { missingCredential } from './credential-refusal.ts';
import { Exchange, type ExchangeDeps } from './exchange.ts';
import type { GatewayLimits } from './limits.ts';
import { bodyTooLarge } from './problems.ts';
import { readWhole } from './request-body.ts';
import { readAsked } from './request-ids-reader.ts';

/**
 * Sends an admitted call up, unless its client has left meanwhile.
 *
 * @throws ProblemError
 */
export function relay(call: Call, admission: Admission, deps: ExchangeDeps): void {
  if (call.isOver) return;
  call.admission = admission;
  const { credential, route, session } = admission;
  const { contentLength } = call.inbound;
  if (contentLength !== undefined && contentLength > deps.limits.requestBytes) {
    throw bodyTooLarge(deps.limits.requestBytes);
  }
  if (credential.kind !== 'ready') {
    answerWithout(call, missingCredential(credential, route.integrationId), deps.limits);
    return;
  }
  if (session !== undefined) call.join(session);
  deps.openCalls.admit(call);
  new Exchange(call, admission, credential, deps).start();
}

function answerWithout(call: Call, refusal: CredentialRefusal, limits: GatewayLimits): void {
  const { req, inbound } = call;
  const { contentLength } = inbound;
  if (req.method !== 'POST') {
    call.refuseCredential(refusal, undefined);
  } else if (contentLength && contentLength <= limits.keptBytes) {
    readWhole(req, contentLength, (body) => call.refuseCredential(refusal, askedBy(body)));
  } else {
    const { requestBytes, bodySilence } = limits;
    readAsked(req, { bytes: requestBytes, silence: bodySilence }, (asked) =>
      call.refuseCredential(refusal, asked),
    );
  }
}
