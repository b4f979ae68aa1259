import type { Span } from '../json/node.ts';

/** A JSON-RPC message, as far as rules about names need it. */
export interface Message {
  /** Why rules cannot be applied to it: it lacks what its method needs. */
  readonly fault: string | undefined;
  /** Raw JSON, byte for byte: a string, a number or `null`. Undefined in a notification. */
  readonly id: string | undefined;
  readonly idAt: Span | undefined;
  /** Undefined in a response. */
  readonly method: string | undefined;
  /** `params.name`. Also undefined if it is not a string, which is refused in a method that needs the name. */
  readonly name: string | undefined;
  /** Where the name is, in its quotes. */
  readonly nameAt: Span | undefined;
  /** `params.uri`, likewise. */
  readonly uri: string | undefined;
  /** `params.ref`, what `completion/complete` refers to. */
  readonly ref: Reference | undefined;
  /** Whether `params.task` is there: the call is to run as a task (MCP 2025-11-25). */
  readonly hasTask: boolean;
  /** `params.notifications.resourceSubscriptions` (MCP 2026-07-28): the URIs of `subscriptions/listen`. */
  readonly resourceSubscriptions: readonly string[];
  /** The version that `params._meta` states: only the modern era does. */
  readonly protocolVersion: string | undefined;
  /** `params._meta.progressToken`, raw JSON. */
  readonly progressToken: string | undefined;
}

export interface Reference {
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly nameAt: Span | undefined;
  readonly uri: string | undefined;
}

/** What a body holds. */
export type Envelope =
  | { readonly kind: 'message'; readonly message: Message }
  /** Only in MCP 2025-03-26. */
  | { readonly kind: 'batch'; readonly messages: readonly Message[] }
  | Unreadable;

/** A body that is not a message, or that two parsers may read differently. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  /** Whether a parser may find a `tools/call`, `prompts/get` or `resources/read` in it. */
  readonly mayCall: boolean;
}
