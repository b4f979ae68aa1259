import type { Caller } from '../identity/caller.ts';
import type { Era } from '../mcp/era.ts';

/** How a call ended. */
export type CallOutcome =
  /** The upstream's response reached its end. */
  | 'relayed'
  /** The gateway responded with a problem, or to a CORS preflight. */
  | 'refused'
  /** Rules about names do not allow it, or it cannot be judged by them. */
  | 'policy'
  /** No usable credential, or the upstream rejected it. */
  | 'credential'
  /** Answered by the gateway as the MCP server that says how to connect. */
  | 'connect'
  /** The upstream was not reached, closed the connection, or redirected. */
  | 'upstream_failed'
  /** A response was over its limit, or a request that declared no length. */
  | 'too_large'
  | 'deadline'
  | 'client_left'
  /** Ended by the gateway: revoked while open, or shutting down. */
  | 'cut';

/** A call that has ended. Holds ids, and nothing that a client or an upstream has sent. */
export interface CallRecord {
  readonly requestId: string;
  readonly method: string;
  readonly era: Era;
  readonly outcome: CallOutcome;
  /** Of our response; 0 before it has begun. */
  readonly status: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Between them, rounded. */
  readonly ms: number;
  /** Undefined, as are the ids of the route, if the call ended before it was admitted. */
  readonly caller: Caller | undefined;
  readonly applicationId: string | undefined;
  readonly integrationId: string | undefined;
  /** The session that the call was in when it ended. */
  readonly sessionId: string | undefined;
  /** The client's, unless the call was relayed. */
  readonly address: string | undefined;
}

/** Learns of every call once, when it has ended. Must neither throw nor wait. */
export interface CallObserver {
  ended(record: CallRecord): void;
}
