import type { Egress } from '../../egress/egress.ts';
import type { Sender } from '../../egress/sender.ts';
import { isEventStream } from '../event-stream.ts';

const MAX_BYTES = 16 * 1024;
const END_OF_EVENT = /\r?\n\r?\n/;
const ENDPOINT_EVENT = /^event: ?endpoint\r?$/m;

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
  let text = '';
  const { status, headers } = await egress.request(url, {
    method: 'GET',
    headers: [['accept', 'text/event-stream'], ...sender.credential],
    maxBytes: MAX_BYTES,
    signal,
    sender,
    until: (chunk, head) => {
      text += chunk.toString('latin1');
      return !isEventStream(head.headers['content-type']) || END_OF_EVENT.test(text);
    },
  });
  const [firstEvent = ''] = text.split(END_OF_EVENT);
  const isOpened = status === 200 && isEventStream(headers['content-type']);
  return isOpened && ENDPOINT_EVENT.test(firstEvent);
}
