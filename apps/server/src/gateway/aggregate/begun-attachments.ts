import { sessionCallerOf } from '../admission.ts';
import type { AggregateAttachment } from './applications.ts';
import type { InSession } from './client-call.ts';
import type { UpstreamCallDeps } from './upstream-calls.ts';

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
