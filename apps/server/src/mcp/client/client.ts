import type { IncomingHttpHeaders } from 'node:http';
import type { Egress } from '../../egress/egress.ts';
import type { HeaderPairs, Sender } from '../../egress/sender.ts';
import type { ClientMessage } from './messages.ts';
import { hasOldTransport } from './old-transport.ts';
import { createRpcResponseReader, type RpcResponse } from './response-reader.ts';
import { sameOriginRedirect } from './same-origin-redirect.ts';

/** The HTTP response to a message, and the JSON-RPC response in it. */
export interface McpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly response: RpcResponse | undefined;
  /** The text of that response. */
  readonly text: string;
  /** Where a redirect within the URL's own origin leads, if that can be shown. */
  readonly redirectsTo: string | undefined;
}

/** Calls one endpoint for one sender, with the sender's credential. */
export interface McpClient {
  /** @throws EgressError */
  send(message: ClientMessage, signal: AbortSignal): Promise<McpResponse>;
  /** Whether the endpoint speaks the HTTP+SSE transport of 2024-11-05. @throws EgressError */
  hasOldTransport(signal: AbortSignal): Promise<boolean>;
  /** Ends a legacy session. Ignores failures. */
  endSession(headers: HeaderPairs, signal: AbortSignal): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;
const MESSAGE_ID = 1;

/**
 * Creates a client that stores nothing between calls.
 *
 * @param onResponse called when a response begins, sometimes more than once
 */
export function createMcpClient(
  egress: Pick<Egress, 'request'>,
  url: string,
  sender: Sender,
  onResponse: () => void,
): McpClient {
  const { credential } = sender;
  return {
    async send({ method, params, headers = [], isNotification }, signal) {
      const reader = createRpcResponseReader(MESSAGE_ID);
      const id = isNotification ? {} : { id: MESSAGE_ID };
      const { status, headers: responseHeaders } = await egress.request(url, {
        method: 'POST',
        headers: [
          ['content-type', 'application/json'],
          ['accept', 'application/json, text/event-stream'],
          ...headers,
          ...credential,
        ],
        body: JSON.stringify({ jsonrpc: '2.0', ...id, method, params }),
        maxBytes: MAX_BYTES,
        signal,
        sender,
        until: (chunk, head) => {
          onResponse();
          return reader.read(chunk, head.headers);
        },
      });
      onResponse();
      const isRedirect = status >= 300 && status < 400;
      const { location } = responseHeaders;
      return {
        status,
        headers: responseHeaders,
        response: reader.response(),
        text: reader.text(),
        redirectsTo: isRedirect ? sameOriginRedirect(url, location, credential) : undefined,
      };
    },
    hasOldTransport: (signal) => hasOldTransport(egress, url, sender, signal),
    async endSession(headers, signal) {
      const request = { method: 'DELETE', maxBytes: 1024, signal, sender } as const;
      await egress
        .request(url, { ...request, headers: [...headers, ...credential] })
        .catch(() => undefined);
    },
  };
}
