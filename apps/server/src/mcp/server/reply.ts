/** Why a request is refused: the `error` of a JSON-RPC response. */
export interface RpcRefusal {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** The answer to one request. */
export type Reply = { readonly result: object } | { readonly error: RpcRefusal };

/** A result that is written as bytes. */
export interface WrittenResult {
  /** Raw JSON, in pieces. */
  readonly written: readonly Buffer[];
}

/** A JSON-RPC response. @param id raw JSON */
export function responseTo(id: string, reply: Reply): string {
  const [member, value] = 'result' in reply ? ['result', reply.result] : ['error', reply.error];
  return `{"jsonrpc":"2.0","id":${id},"${member}":${JSON.stringify(value)}}`;
}

/** A response of which the result is written as bytes. @param id raw JSON @param result raw JSON, in pieces */
export function responseOfBytes(id: string, result: readonly Buffer[]): Buffer {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`);
  return Buffer.concat([head, ...result, Buffer.from('}')]);
}

/** One refusal for each raw id, as one line: an array if the ids came in a batch. */
export function refusalOf(ids: readonly string[] | string, error: RpcRefusal): string {
  if (typeof ids === 'string') return responseTo(ids, { error });
  return `[${ids.map((id) => responseTo(id, { error })).join(',')}]`;
}

export function failed(code: number, message: string, data?: object): Reply {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** The result of a `subscriptions/listen` that ends (2026-07-28 subscriptions). @param meta raw JSON */
export function completed(id: string, meta: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete",${meta}}}`;
}

/** One event that is a JSON-RPC message. @param json one line */
export function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

const [LF, CR, SPACE] = Buffer.from('\n\r ');
const BEFORE = Buffer.from('event: message\ndata: ');
const AFTER = Buffer.from('\n\n');

/** One event that is a JSON-RPC message, in lines or not. */
export function eventOfBytes(json: Buffer): Buffer {
  return Buffer.concat([BEFORE, oneLine(json), AFTER]);
}

/** In JSON a line break can only be white space between tokens. */
function oneLine(json: Buffer): Buffer {
  if (!json.includes(LF as number) && !json.includes(CR as number)) return json;
  return Buffer.from(json.map((byte) => (byte === LF || byte === CR ? (SPACE as number) : byte)));
}

/** @param params raw JSON */
export function notificationOf(method: string, params?: string): string {
  return eventOf(messageOf(`notifications/${method}`, params));
}

/** A notification, or with an id a request. @param params raw JSON @param id raw JSON */
export function messageOf(method: string, params?: string, id?: string): string {
  const asked = id === undefined ? '' : `"id":${id},`;
  const rest = params === undefined ? '' : `,"params":${params}`;
  return `{"jsonrpc":"2.0",${asked}"method":${JSON.stringify(method)}${rest}}`;
}
