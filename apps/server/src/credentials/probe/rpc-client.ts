import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@gatehouse/contract';
import type { CredentialUse } from '../../egress/check-url.ts';
import type { Egress } from '../../egress/egress.ts';
import type { CredentialHeaders } from '../outcome.ts';
import { createRpcReader, type RpcResponse } from './rpc-answer.ts';

/** One JSON-RPC message to an MCP endpoint. */
export interface RpcCall {
  readonly method: string;
  readonly params?: JsonObject;
  /** Headers of the protocol, beside content negotiation and the credential. */
  readonly headers?: CredentialHeaders;
  readonly isNotification?: boolean;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface RpcReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly response: RpcResponse | undefined;
}

/** Speaks to one endpoint with one credential. */
export interface RpcClient {
  /** @throws EgressError */
  call(call: RpcCall): Promise<RpcReply>;
  /** Ends a legacy session; failure is of no account. */
  endSession(headers: CredentialHeaders, signal: AbortSignal): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;
const REQUEST_ID = 1;

/** A client that keeps nothing between calls. */
export function createRpcClient(
  egress: Egress,
  url: string,
  credential: CredentialHeaders,
): RpcClient {
  const carries: CredentialUse = credential.length > 0 ? 'credentials' : 'nothing';
  return {
    async call({ method, params, headers = [], isNotification, signal }) {
      const reader = createRpcReader(REQUEST_ID);
      const id = isNotification ? {} : { id: REQUEST_ID };
      const answer = await egress.request(url, {
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
        carries,
        until: (chunk, head) => reader.read(chunk, head.headers),
      });
      return { status: answer.status, headers: answer.headers, response: reader.response() };
    },
    async endSession(headers, signal) {
      const request = { method: 'DELETE', maxBytes: 1024, signal, carries } as const;
      await egress
        .request(url, { ...request, headers: [...headers, ...credential] })
        .catch(() => undefined);
    },
  };
}
