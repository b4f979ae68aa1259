import type { IncomingHttpHeaders } from 'node:http';
import type { Envelope } from '../mcp/envelope/message.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { AggregateSession } from '../sessions/sessions.ts';
import type { CallRefusal } from './call-record.ts';
import type { Inbound } from './inbound.ts';

/** The session of a legacy client with the aggregate, for which sessions with integrations are begun. */
export type AggregateSessionRef = Pick<AggregateSession, 'id' | 'hello' | 'logLevel'>;

/**
 * The request of a call. That of a pair URL is the client's HTTP request itself; the aggregate makes one for each
 * integration from a client's request.
 */
export interface CallRequest {
  readonly method?: string | undefined;
  /** The path of a pair URL. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value … */
  readonly rawHeaders: readonly string[];
  /** What they say, where they have been read already. */
  readonly inbound?: Inbound;
  /** Of the client's HTTP request, where it has been found already. */
  readonly requestId?: string;
  /** The whole body, where it has been read already. */
  readonly body?: Buffer | undefined;
  /** What that body says, where it is known already: the audit and limits read no body twice. */
  readonly envelope?: Envelope | undefined;
  /** Made by the gateway for itself: limits do not count it. */
  readonly isOwn?: boolean;
  /** It belongs to a session with the integration that begins when it is first needed. */
  readonly aggregateSession?: AggregateSessionRef | undefined;
  /** A GET that goes on with the stream of a request, so that its answer may come. */
  readonly isResumed?: boolean;
  /** Its client uses that session: reading lists, and what all integrations hear, does not keep it. */
  readonly isUse?: boolean;
}

/** Where the response to a call goes: node's `ServerResponse`, or what takes its place. */
export interface ClientResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** What reads it in place of a client has what it waited for, and closes it. */
  readonly isAnswered?: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  on(event: 'close', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  /** @param headers name, value, name, value … */
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  /** Returns false if the client has not taken what was sent before. */
  write(part: Buffer | string): boolean;
  end(rest?: Buffer): unknown;
  end(text: string, encoding: 'latin1' | 'utf8'): unknown;
  destroy(): unknown;
  /** Takes a problem instead of the document that tells of it, also once the response has begun. */
  takeProblem?(problem: ProblemError): void;
  /** Receives an error in JSON-RPC itself instead of a serialized response. */
  takeRefusal?(refusal: CallRefusal): void;
}
