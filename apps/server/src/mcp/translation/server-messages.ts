import type { ReadMessage } from './message-reader.ts';

/** What a message of a server is. */
export type ServerMessage =
  /** An answer to a request; `null` for one that the server could not read. */
  | { readonly kind: 'response'; readonly id: string }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'request'; readonly id: string; readonly method: string }
  | undefined;

/** Bytes of a method. */
const MAX_METHOD = 200;

/** Bytes of a level. */
const MAX_LEVEL = 20;

/** Notifications that are about a session, or about a request of a server, and mean nothing in the other era. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
  'notifications/subscriptions/acknowledged',
]);

export function kindOf({ object, bytes }: ReadMessage): ServerMessage {
  const id = object.member('id')?.raw(bytes);
  const named = object.member('method');
  if (named === undefined) return id === undefined ? undefined : { kind: 'response', id };
  const method = named.string(bytes, MAX_METHOD);
  if (method === null) return undefined;
  return id === undefined ? { kind: 'notification', method } : { kind: 'request', id, method };
}

/** The level of a message of the log; empty where it is no text. */
export function logLevelOf({ object, bytes }: ReadMessage): string {
  return object.member('params')?.member('level')?.string(bytes, MAX_LEVEL) ?? '';
}

/** Whether a notification is for the client of a request, whatever its era. */
export function isPassed(method: string): boolean {
  return !LEFT_OUT.has(method);
}
