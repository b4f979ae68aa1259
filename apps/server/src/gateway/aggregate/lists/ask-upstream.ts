import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { Collected } from '../collect.ts';
import type { UpstreamCallDeps } from '../upstream-calls.ts';
import { isSessionGone, isSessionLost, mayComeFromLostSession } from './lost-sessions.ts';
import { type OwnRequest, sendOwnRequest } from './own-request.ts';

/**
 * Sends a request to an integration, once more if the session that it was sent in is gone: then it has not been
 * executed.
 *
 * @param client with the session behind which the integration is spoken to, in the legacy era
 */
export async function askUpstream(
  client: InSession,
  attachment: AggregateAttachment,
  request: OwnRequest,
  deps: UpstreamCallDeps,
): Promise<Collected> {
  const { collected, sent } = await sendOwnRequest(client, attachment, request, deps);
  if (request.era === 'modern') return collected;
  const isGone =
    isSessionGone(collected) ||
    (mayComeFromLostSession(collected) && (await isSessionLost(sent, client, attachment, deps)));
  if (!isGone) return collected;
  return (await sendOwnRequest(client, attachment, request, deps)).collected;
}
