import { notificationOf } from '../../../mcp/server/reply.ts';
import { ANNOUNCED_LISTS } from '../../../mcp/spoken-eras.ts';
import { changesOf, readEventId } from '../server-request-ids.ts';
import { upstreamRequest } from '../upstream-request.ts';
import type { Speech } from './merged-stream.ts';

const DATA = Buffer.from('data:');

/**
 * What is said on the GET stream of a legacy client (2025-11-25 transports, "Listening for Messages from the Server").
 *
 * @param lastEventId of the client, which resumes the stream of one integration
 * @param reconnectAfter milliseconds
 */
export function legacySpeech(lastEventId: string | undefined, reconnectAfter: number): Speech {
  const last = lastEventId === undefined ? undefined : readEventId(lastEventId);
  return {
    first: '',
    changed: ANNOUNCED_LISTS.map((list) => notificationOf(`${list}/list_changed`)).join(''),
    ended: (isClosing) => (isClosing ? `retry: ${reconnectAfter}\n\n` : ''),
    requestFor(client, attachment) {
      const isResumed = last?.attachmentId === attachment.attachmentId;
      return upstreamRequest(client, attachment, {
        method: 'GET',
        headers: {
          accept: 'text/event-stream',
          'accept-encoding': 'identity',
          'last-event-id': isResumed ? last.id : undefined,
        },
      });
    },
    changesFor: changesOf,
    // The comments that keep a stream alive are ours.
    passes: (event) => event.includes(DATA),
    endsWith: ({ attachmentId }) => last?.attachmentId === attachmentId,
  };
}
