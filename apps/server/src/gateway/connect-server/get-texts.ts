import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import { notificationOf, type StreamTexts } from './stream-texts.ts';

/**
 * What is said on the GET stream of a legacy client. One that may have been asked to open a URL also
 * hears that this is done; a client that has not been asked ignores it (2025-11-25 elicitation).
 *
 * @param reconnectAfter milliseconds
 */
export function getTexts(session: ConnectSession | undefined, reconnectAfter: number): StreamTexts {
  const done = session?.opensUrls
    ? notificationOf('elicitation/complete', JSON.stringify({ elicitationId: session.nonce }))
    : '';
  return {
    first: '',
    connected: done + notificationOf('tools/list_changed'),
    ended: ({ code }) => (code === 'overloaded' ? `retry: ${reconnectAfter}\n\n` : ''),
  };
}
