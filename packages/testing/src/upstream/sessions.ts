import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import { createEventStore } from './event-store.ts';
import { sendRpcError } from './http-errors.ts';

/** Milliseconds that clients should wait before they resume a stream. */
const RETRY_INTERVAL = 100;

/** The legacy half of the endpoint: stateful sessions with `Mcp-Session-Id`. */
export interface LegacySessions {
  /** Open session ids, oldest first. */
  readonly ids: readonly string[];
  /** Handles POST, GET or DELETE. `body` is the parsed body of a POST. */
  handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Ends every session, as a restart would: streams are closed, and requests with its id get 404. */
  forget(): Promise<void>;
}

/** Creates the session table. Calls `createServer` for each `initialize`. */
export function createLegacySessions(createServer: () => McpServer): LegacySessions {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();

  async function open(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: RETRY_INTERVAL,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await createServer().connect(transport);
    return transport;
  }

  return {
    get ids() {
      return [...transports.keys()];
    },
    async handle(request, response, body) {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? transports.get(id) : undefined;
      if (known) return known.handleRequest(request, response, body);
      if (id !== undefined) return sendRpcError(response, 404, -32001, 'Session not found');
      if (isInitializeRequest(body)) {
        return (await open()).handleRequest(request, response, body);
      }
      sendRpcError(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    },
    async forget() {
      const open = [...transports.values()];
      transports.clear();
      await Promise.all(open.map((transport) => transport.close()));
    },
  };
}
