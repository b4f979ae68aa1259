import type { RpcError } from '../json-rpc-error.ts';

/** The answer to one request. */
export type Reply = { readonly result: object } | { readonly error: RpcError };

/** A JSON-RPC response. @param id raw JSON */
export function responseTo(id: string, reply: Reply): string {
  const [member, value] = 'result' in reply ? ['result', reply.result] : ['error', reply.error];
  return `{"jsonrpc":"2.0","id":${id},"${member}":${JSON.stringify(value)}}`;
}

export function failed(code: number, message: string, data?: object): Reply {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}
