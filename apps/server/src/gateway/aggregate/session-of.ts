import type { Message } from '../../mcp/envelope/message.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { AggregateSession, GatewaySessions } from '../../sessions/sessions.ts';
import { sessionCallerOf } from '../admission.ts';
import type { Admitted } from './client-call.ts';

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
