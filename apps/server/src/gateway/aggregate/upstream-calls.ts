import { type Admission, admitTo, type RouteDeps } from '../admission.ts';
import { Call } from '../call.ts';
import type { CallRequest, ClientResponse } from '../client-side.ts';
import { logRefusedCall } from '../policy/refusals.ts';
import { PeopleRefused } from '../problems.ts';
import { type RelayDeps, relay } from '../relay.ts';
import type { AggregateAttachment } from './applications.ts';
import type { Admitted } from './client-call.ts';

export interface UpstreamCallDeps {
  readonly routeDeps: RouteDeps;
  readonly relayDeps: RelayDeps;
}

/**
 * Makes a call to one integration, as if the client had sent the request to the pair's own URL: it is admitted, judged,
 * limited, sent and recorded in the same way. The response goes to `response`.
 *
 * @returns the call, which knows the session that it was sent in
 */
export function startUpstreamCall(
  { call: clientCall, token, caller }: Pick<Admitted, 'call' | 'token' | 'caller'>,
  { key }: Pick<AggregateAttachment, 'key'>,
  request: CallRequest,
  response: ClientResponse,
  { routeDeps, relayDeps }: UpstreamCallDeps,
): Call {
  const call = new Call(clientCall.req, response, relayDeps, request);
  const refuse = (thrown: unknown): void => {
    if (thrown instanceof PeopleRefused) {
      logRefusedCall(relayDeps.log, call, thrown.refused, thrown.reasons);
    }
    call.refuse(thrown);
  };
  const send = (admission: Admission): void => relay(call, admission, relayDeps);
  relayDeps.openCalls.add(call);
  call.allowOrigin(clientCall.corsHeaders);
  try {
    const admission = admitTo(routeDeps, call, token, caller, key);
    if (admission instanceof Promise) admission.then(send).catch(refuse);
    else send(admission);
  } catch (error) {
    refuse(error);
  }
  return call;
}
