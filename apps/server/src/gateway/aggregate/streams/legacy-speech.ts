import { decideMethod } from '@gatehouse/contract';
import { withIds } from '../../../mcp/aggregate/event-rewriter.ts';
import { notificationOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS, eraFor } from '../../../mcp/spoken-eras.ts';
import { dataOf } from '../../../mcp/sse/event-reader.ts';
import { subscribedUris } from '../../../sessions/sessions.ts';
import type { Route } from '../../routes.ts';
import { isBegun } from '../client-session.ts';
import { accessTo } from '../lists/access.ts';
import { IdsForClient, readEventId } from '../server-request-ids.ts';
import { upstreamRequest } from '../upstream-request.ts';
import { announcedAmong, changesOfModern } from './announced-changes.ts';
import type { Speech, SpeechDeps } from './merged-stream.ts';

/**
 * What is said on the GET stream of a legacy client (2025-11-25 transports, "Listening for Messages from the Server").
 *
 * @param resumedFrom the last event of the client, which resumes the stream of one integration
 * @param reconnectAfter milliseconds
 */
export function legacySpeech(
  resumedFrom: string | undefined,
  reconnectAfter: number,
  deps: SpeechDeps,
): Speech {
  const last = resumedFrom === undefined ? undefined : readEventId(resumedFrom);
  return {
    first: '',
    changed: ANNOUNCED_LISTS.map((list) => notificationOf(`${list}/list_changed`)).join(''),
    ended: (isClosing) => (isClosing ? `retry: ${reconnectAfter}\n\n` : ''),
    async follow(client, attachment, lastEventId) {
      const { session } = client;
      const access = await accessTo(client, attachment, deps.callDeps);
      if (access.kind !== 'ready' || session === undefined) return undefined;
      const spokenEras = deps.callDeps.eras.known(access.route, access.credential);
      if (eraFor(spokenEras, 'legacy') === 'modern') {
        const lists = announcedAmong(ANNOUNCED_LISTS, spokenEras);
        const isAllowed = (uri: string) => mayLearnOf(uri, access.route);
        const uris = subscribedUris(session, attachment.attachmentId).filter(isAllowed);
        if (lists.length + uris.length === 0) return undefined;
        return changesOfModern(client, attachment, { lists, uris, isAllowed }, session);
      }
      const { streamless } = deps;
      const { route } = access;
      if (streamless.has(route) || !(await isBegun(client, attachment, deps))) return undefined;
      const isResumed = last?.attachmentId === attachment.attachmentId;
      const headers = {
        accept: 'text/event-stream',
        'accept-encoding': 'identity',
        'last-event-id': lastEventId ?? (isResumed ? last.id : undefined),
      };
      const request = upstreamRequest(client, attachment, { method: 'GET', headers, isResumed });
      const changes = new IdsForClient(attachment.attachmentId);
      // The comments that keep a stream alive are ours.
      return {
        request,
        toClient: (event) => dataOf(event) && withIds(event, changes),
        noteRefused: () => streamless.note(route),
      };
    },
    subscribedTo: ({ session }, { attachmentId }) =>
      session === undefined ? [] : subscribedUris(session, attachmentId),
    endsWith: ({ attachmentId }) => last?.attachmentId === attachmentId,
  };
}

function mayLearnOf(uri: string, { policy, target }: Route): boolean {
  if (!policy?.hasNameRules) return true;
  const request = { method: 'resources/subscribe', uri, authMode: target.authMode };
  return decideMethod(policy.levels, request).length === 0;
}
