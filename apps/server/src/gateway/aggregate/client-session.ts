import type { Message } from '../../mcp/envelope/message.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { AggregateSession, GatewaySessions } from '../../sessions/sessions.ts';
import { sessionCallerOf } from '../admission.ts';
import type { AggregateAttachment } from './applications.ts';
import type { Admitted, InSession } from './client-call.ts';
import { collect } from './collect.ts';
import { within } from './lists/gather.ts';
import { callUpstream, type UpstreamCallDeps } from './upstream-calls.ts';
import { upstreamRequest } from './upstream-request.ts';

/**
 * The session of a message; undefined for one that needs no session.
 *
 * @throws ProblemError `validation_failed` without a session id (2025-11-25 transports, "Session Management");
 *   `session_not_found`
 */
export async function sessionOf(
  { call, caller, application }: Admitted,
  { method, protocolVersion }: Partial<Pick<Message, 'method' | 'protocolVersion'>>,
  { sessions }: { readonly sessions: Pick<GatewaySessions, 'aggregates'> },
): Promise<AggregateSession | undefined> {
  // Only the modern era states its version in the body.
  const isModern = call.era === 'modern' || protocolVersion !== undefined;
  if (isModern || method === 'initialize') return undefined;
  const { sessionId } = call.inbound;
  if (sessionId === undefined) {
    throw new ProblemError(
      'validation_failed',
      'There is no session: begin with a POST of initialize, and send the Mcp-Session-Id that it is answered with.',
    );
  }
  const { organizationId, id: applicationId } = application;
  const place = { organizationId, applicationId };
  return sessions.aggregates.require(place, sessionCallerOf(caller), sessionId);
}

/** The integrations with which a client has begun sessions, on any node. One indexed read for each that is not in memory. */
export async function begunAttachments(
  client: InSession,
  deps: UpstreamCallDeps,
): Promise<readonly AggregateAttachment[]> {
  const { attachments } = client.application;
  const begun = await Promise.all(attachments.map((one) => isBegun(client, one, deps)));
  return attachments.filter((_, index) => begun[index]);
}

export async function isBegun(
  { session, application, caller }: InSession,
  { key }: AggregateAttachment,
  { callDeps: { routes, sessions } }: UpstreamCallDeps,
): Promise<boolean> {
  if (session === undefined) return false;
  try {
    const route = await routes.get(application.organizationId, key);
    return await sessions.behind.isBegun(route, sessionCallerOf(caller), session.id);
  } catch {
    return false;
  }
}

/** Milliseconds in which integrations may end the sessions behind that of a client. */
const WITHIN = 3_000;

/** Ends a client's session, and those behind it at the integrations too. */
export async function endSession(
  admitted: Admitted,
  deps: UpstreamCallDeps & { readonly sessions: Pick<GatewaySessions, 'aggregates'> },
): Promise<void> {
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
