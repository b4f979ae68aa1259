import type { BegunCall } from '../audit/writing/prepare-calls.ts';
import type { ReadyCredential } from '../credentials/outcome.ts';
import type { Caller } from '../identity/caller.ts';
import type { Era } from '../mcp/era.ts';
import type { RpcRefusal } from '../mcp/server/reply.ts';
import type { CallMessage } from './call-messages.ts';

/** How a call ended. */
export type CallOutcome =
  /** The upstream's response reached its end. */
  | 'relayed'
  /** The gateway responded with a problem, or to a CORS preflight. */
  | 'refused'
  /** Rules about names do not allow it, or it cannot be judged by them. */
  | 'policy'
  /** A limit is used up, or its requests cannot be counted. */
  | 'limited'
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

/** Where the credential of a call comes from. `missing`: there is no usable one. */
export type CredentialSource = ReadyCredential['source'] | 'missing';

/** An error of ours in JSON-RPC, and the codes why. */
export interface CallRefusal extends RpcRefusal {
  readonly data: { readonly code: string; readonly reason?: string };
}

/**
 * A call that has ended. Of what its client has sent it holds the messages, as far as {@link CallMessage} says; of
 * what the upstream has sent, nothing.
 */
export interface CallRecord {
  readonly requestId: string;
  /** Of HTTP. */
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
  /** A GET, or a `subscriptions/listen`: a stream that lasts as long as its client listens, and no call. */
  readonly isOpenEnded: boolean;
  /** Undefined if the call ended before its token was found, or if the token may not be used at this URL. */
  readonly caller: Caller | undefined;
  /** Of the caller's organization; undefined, as is the integration's, if the call ended before they were found. */
  readonly applicationId: string | undefined;
  readonly integrationId: string | undefined;
  /** Undefined unless the call was admitted. */
  readonly credentialSource: CredentialSource | undefined;
  /** In their order. Empty without a body, if the call ended before it was read, and unless an observer needs them. */
  readonly messages: readonly CallMessage[];
  /** Of these messages, or of a call without any; undefined unless the audit has stored that the call began. */
  readonly begun?: readonly BegunCall[] | undefined;
  /** {@link CallObserver.answered} has had a record of the call before. */
  readonly wasAnswered?: boolean;
  /** Of the body, as far as it was read. */
  readonly bytesIn: number;
  /** Of the response's body, relayed or our own. */
  readonly bytesOut: number;
  /**
   * Codes why the gateway refused the call: of a problem, of rules, of a credential, or `unreadable` for a body that
   * rules cannot judge. Empty if it did not.
   */
  readonly reasons: readonly string[];
  /** The session that the call was in when it ended. */
  readonly sessionId: string | undefined;
  /** The client's; of a call that was relayed only if an observer needs messages. */
  readonly address: string | undefined;
}

/** Learns of every call once, when it has ended. Must neither throw nor wait. */
export interface CallObserver {
  /** If no observer needs the messages of calls, bodies are not read for them. */
  readonly needsMessages?: boolean;
  /** Learns once that every request of a call has its response, on a stream that goes on. */
  answered?(record: CallRecord): void;
  ended(record: CallRecord): void;
}
