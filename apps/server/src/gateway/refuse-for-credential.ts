import { readMessageIds } from '../mcp/message-ids.ts';
import type { Call } from './call.ts';
import type { CredentialError } from './credential-error.ts';
import type { GatewayLimits } from './limits.ts';
import { readWhole } from './request-body.ts';
import { type ReadSoFar, scanMessageIds } from './scan-message-ids.ts';

/** Refuses a call without a credential, with the ids of its messages. Reads the body for them. */
export function refuseForCredential(
  call: Call,
  error: CredentialError,
  { wholeBodyBytes, requestBytes, bodySilence }: GatewayLimits,
  readSoFar?: ReadSoFar,
): void {
  const { req, inbound } = call;
  const { contentLength } = inbound;
  if (req.method !== 'POST') {
    call.refuseForCredential(error, undefined);
  } else if (contentLength && contentLength <= wholeBodyBytes) {
    readWhole(req, contentLength, (body) => call.refuseForCredential(error, readMessageIds(body)));
  } else {
    const limits = { bytes: requestBytes, silence: bodySilence };
    scanMessageIds(req, limits, (ids) => call.refuseForCredential(error, ids), readSoFar);
  }
}
