import type { ServerResponse } from 'node:http';
import type { CredentialError } from './credential-error.ts';
import { OWN_HEADERS } from './response-head.ts';

/** Outside of JSON-RPC's reserved range, of which MCP 2026-07-28 reserves -32099..-32000 for itself. */
const CREDENTIAL_ERROR = -31001;

/** Sends one error for each raw id, as an array if the ids came in a batch. */
export function sendJsonRpcError(
  res: ServerResponse,
  ids: readonly string[] | string,
  { code, message, integrationId, reason }: CredentialError,
  { requestId, corsHeaders }: { requestId: string; corsHeaders: readonly string[] },
): void {
  const data = { code, integrationId, ...(reason === undefined ? {} : { reason }) };
  const error = JSON.stringify({ code: CREDENTIAL_ERROR, message, data });
  const responseTo = (id: string) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
  const body = typeof ids === 'string' ? responseTo(ids) : `[${ids.map(responseTo).join(',')}]`;
  res.writeHead(200, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    ...OWN_HEADERS,
    'X-Request-Id',
    requestId,
    ...corsHeaders,
  ]);
  res.end(body);
}
