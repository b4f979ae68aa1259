import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Ends the response with a JSON-RPC error that belongs to no request. */
export function answerError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}
