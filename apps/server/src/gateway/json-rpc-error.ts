import type { ProblemError } from '../platform/problem-error.ts';
import type { CredentialError } from './credential-error.ts';

/** The `error` of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

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

/** One error for each raw id, as an array if the ids came in a batch. */
export function credentialErrorResponses(ids: Ids, error: CredentialError): string {
  return errorResponses(ids, credentialRpcError(error));
}

export function credentialRpcError({ message, ...data }: CredentialError): RpcError {
  return { code: CREDENTIAL_ERROR, message, data };
}

function errorResponses(ids: Ids, error: RpcError): string {
  const text = JSON.stringify(error);
  const responseTo = (id: string) => `{"jsonrpc":"2.0","id":${id},"error":${text}}`;
  return typeof ids === 'string' ? responseTo(ids) : `[${ids.map(responseTo).join(',')}]`;
}
