import type { ServerResponse } from 'node:http';
import type { ProblemError } from '../platform/problem-error.ts';
import type { CredentialError } from './credential-error.ts';
import { OWN_HEADERS } from './response-head.ts';

/** Outside of JSON-RPC's reserved range, of which MCP 2026-07-28 reserves -32099..-32000 for itself. */
const CREDENTIAL_ERROR = -31001;

/** The gateway has ended the stream that the response was expected on. */
const STREAM_ENDED = -31002;

/** Raw ids of requests: those of a batch as an array. */
type Ids = readonly string[] | string;

/** The error of a stream that the gateway ends, as one line of JSON. */
export function streamEndedError(ids: Ids, problem: ProblemError, requestId: string): string {
  const data = { code: problem.code, requestId };
  return errorResponses(ids, { code: STREAM_ENDED, message: problem.message, data });
}

function errorResponses(ids: Ids, error: object): string {
  const text = JSON.stringify(error);
  const responseTo = (id: string) => `{"jsonrpc":"2.0","id":${id},"error":${text}}`;
  return typeof ids === 'string' ? responseTo(ids) : `[${ids.map(responseTo).join(',')}]`;
}

/** Sends one error for each raw id, as an array if the ids came in a batch. */
export function sendJsonRpcError(
  res: ServerResponse,
  ids: Ids,
  { code, message, integrationId, reason }: CredentialError,
  { requestId, corsHeaders }: { requestId: string; corsHeaders: readonly string[] },
): void {
  const data = { code, integrationId, ...(reason === undefined ? {} : { reason }) };
  const body = errorResponses(ids, { code: CREDENTIAL_ERROR, message, data });
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
