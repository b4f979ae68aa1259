import type { Era } from '../../mcp/era.ts';
import { formatOfMedia } from '../../mcp/media-type.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { CallRefusal } from '../call-record.ts';

/** An integration's answer to one request, or what the gateway has answered in its place. */
export interface UpstreamAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Name, value, name, value …, each name once. */
  readonly headers: string[];
  readonly body: UpstreamBody;
}

/** The bytes of an answer as they arrive. A loop that is left early ends the call: it has what it waited for. */
export interface UpstreamBody extends AsyncIterable<Buffer> {
  /** Why the rest has not come. Known once the loop over the body has ended. */
  readonly failure: ProblemError | undefined;
  /** Takes all of them, if the last one has arrived. */
  takeWhole(): Buffer | undefined;
}

/** The gateway has refused a call, or its upstream has failed. */
export type CallFailure =
  | { readonly kind: 'problem'; readonly problem: ProblemError }
  | { readonly kind: 'refused'; readonly error: CallRefusal };

/** Why there is no answer of an integration. */
export type UpstreamFailure =
  | CallFailure
  /** The response is no answer of MCP to the request. */
  | { readonly kind: 'invalid' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: string | undefined;
    };

/** An error in JSON-RPC that an integration has answered with. */
export interface AnsweredError {
  readonly kind: 'error';
  readonly status: number;
  readonly code: number;
  /** Sends the error to the client. */
  readonly pass: () => void;
}

/** The outcome of a request before anything has been sent to its client, so that it can be sent once more. */
export type Unanswered = UpstreamFailure | AnsweredError;

/** @param name in lower case */
export function headerOf(
  { headers }: Pick<UpstreamAnswer, 'headers'>,
  name: string,
): string | undefined {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}

/** The headers of an answer with a body that may have changed. */
export function withoutLength({ headers }: Pick<UpstreamAnswer, 'headers'>): string[] {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
  return at === -1 ? headers : headers.toSpliced(at, 2);
}

/** The media type as each client reads it. */
export function mediaOf(answer: Pick<UpstreamAnswer, 'headers'>): 'json' | 'events' | undefined {
  return formatOfMedia(headerOf(answer, 'content-type'), headerOf(answer, 'content-encoding'));
}

/**
 * The format of what may be the answer to a request; undefined for any other response. An answer in JSON-RPC passes with its
 * status, unless the status is about credentials or the upstream's session (2025-11-25 transports, "Session Management"): in
 * the modern era 404 only says that there is no such method.
 */
export function formatOf(answer: UpstreamAnswer, era: Era): 'json' | 'events' | undefined {
  const { status } = answer;
  const isOfSession = status === 404 && era === 'legacy';
  if (status >= 500 || status === 401 || isOfSession) return undefined;
  return mediaOf(answer);
}

/** The failure of a response that does not contain the answer. */
export function noAnswerOf(answer: Pick<UpstreamAnswer, 'status' | 'headers'>): UpstreamFailure {
  const { status } = answer;
  if (status < 400) return { kind: 'invalid' };
  return { kind: 'status', status, retryAfter: headerOf(answer, 'retry-after') };
}

/** Reads a body to its end, so that the call ends as its upstream ends it. */
export async function discard(body: UpstreamBody): Promise<void> {
  for await (const _ of body);
}
