import { type MessageIds, readMessageIds } from '../message-ids.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON-RPC request. */
export interface RpcRequest {
  /** Raw JSON, to the last digit. */
  readonly id: string;
  /** Empty if it is no text. */
  readonly method: string;
  readonly params: Fields;
}

/** The messages of a body, as far as they are answered. */
export type Messages =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  /** MCP 2025-03-26: the requests of a batch. */
  | { readonly kind: 'batch'; readonly requests: readonly RpcRequest[] }
  /** Only notifications, one or several. */
  | { readonly kind: 'notifications' }
  /** Responses, or what is no message. */
  | Extract<MessageIds, { kind: 'nothing' | 'malformed' }>;

/** Those that are answered one by one. */
export type Requests = Extract<Messages, { readonly kind: 'request' | 'batch' }>;

export function readMessages(body: Buffer): Messages {
  const ids = readMessageIds(body);
  if (ids.kind === 'malformed') return ids;
  const parsed: unknown = JSON.parse(body.toString());
  const items = (Array.isArray(parsed) ? parsed : [parsed]).map(fieldsOf);
  if (ids.kind === 'nothing') {
    return items.length > 0 && items.every(isNotification) ? { kind: 'notifications' } : ids;
  }
  const raw = ids.kind === 'request' ? [ids.id] : ids.ids;
  const requests = items.filter(isRequest).flatMap(({ method, params }, index) => {
    const id = raw[index];
    if (id === undefined) return [];
    return { id, method: typeof method === 'string' ? method : '', params: fieldsOf(params) };
  });
  const [request] = requests;
  if (ids.kind === 'batch' || request === undefined) return { kind: 'batch', requests };
  return { kind: 'request', request };
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** By the rules of `readMessageIds`. */
function isRequest(message: Fields): boolean {
  const { id } = message;
  const isId = id === null || typeof id === 'string' || typeof id === 'number';
  return isId && 'method' in message;
}

function isNotification(message: Fields): boolean {
  return typeof message.method === 'string' && !('id' in message);
}
