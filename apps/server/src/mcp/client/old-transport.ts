import type { Egress } from '../../egress/egress.ts';
import type { Sender } from '../../egress/sender.ts';
import { isEventStream } from '../media-type.ts';
import { EventReader, fieldOf, type StreamEvent } from '../sse/event-reader.ts';

const MAX_BYTES = 16 * 1024;

/**
 * Whether a GET of the URL opens a stream that begins with the event `endpoint`: how MCP 2025-11-25
 * (transports, "Backwards Compatibility") recognizes a server of the HTTP+SSE transport of 2024-11-05.
 *
 * @throws EgressError
 */
export async function hasOldTransport(
  egress: Pick<Egress, 'request'>,
  url: string,
  sender: Sender,
  signal: AbortSignal,
): Promise<boolean> {
  const events = new EventReader(MAX_BYTES);
  let first: StreamEvent | undefined;
  const { status, headers } = await egress.request(url, {
    method: 'GET',
    headers: [['accept', 'text/event-stream'], ...sender.credential],
    maxBytes: MAX_BYTES,
    signal,
    sender,
    until: (chunk, head) => {
      first ??= events.feed(chunk).find(({ lines }) => lines.length > 0);
      return !isEventStream(head.headers['content-type']) || first !== undefined;
    },
  });
  const isOpened = status === 200 && isEventStream(headers['content-type']);
  return isOpened && first !== undefined && fieldOf(first, 'event') === 'endpoint';
}
