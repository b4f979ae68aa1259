import type { GatewaySessions } from '../../sessions/sessions.ts';
import type { AggregateAttachment } from './applications.ts';
import { begunAttachments } from './begun-attachments.ts';
import type { Admitted, InSession } from './client-call.ts';
import { collect } from './collect.ts';
import { within } from './lists/gather.ts';
import { sessionOf } from './session-of.ts';
import { callUpstream, type UpstreamCallDeps } from './upstream-calls.ts';
import { upstreamRequest } from './upstream-request.ts';

export interface EndSessionDeps extends UpstreamCallDeps {
  readonly sessions: Pick<GatewaySessions, 'aggregates'>;
}

/** Milliseconds in which integrations may end the sessions behind it. */
const WITHIN = 3_000;

/** Ends a client's session, and those behind it at the integrations too. */
export async function endSession(admitted: Admitted, deps: EndSessionDeps): Promise<void> {
  const session = await sessionOf(admitted, {}, deps);
  if (session !== undefined) {
    const client = { ...admitted, session };
    const begun = await begunAttachments(client, deps);
    await Promise.all(begun.map((attachment) => endBehind(client, attachment, deps)));
    await deps.sessions.aggregates.end(session);
  }
  admitted.call.answer(204, undefined);
}

/** Whatever the integration answers, its session is over for us. */
async function endBehind(
  client: InSession,
  attachment: AggregateAttachment,
  deps: UpstreamCallDeps,
): Promise<void> {
  const request = upstreamRequest(client, attachment, { method: 'DELETE', isOwn: true });
  const call = callUpstream(client, attachment, request, deps);
  if ((await within(collect(call, null), WITHIN)) === undefined) call.abort();
}
