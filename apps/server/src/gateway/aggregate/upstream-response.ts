import { problemCodes } from '@gatehouse/contract';
import type { Era } from '../../mcp/era.ts';
import { formatOfMedia } from '../../mcp/media-type.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ClientResponse } from '../client-side.ts';
import type { UpstreamFailure } from './upstream-answer.ts';

export { isSessionForgotten, type UpstreamFailure } from './upstream-answer.ts';

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** Name, value, name, value …, each name once. */
  readonly headers: readonly string[];
}

/** Until one has arrived. */
export const NO_HEAD: Head = { status: 0, headers: [] };

/** @param name in lower case */
export function headerOf({ headers }: Pick<Head, 'headers'>, name: string): string | undefined {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const each = headers[i] as string;
    if (each.length === name.length && each.toLowerCase() === name) return headers[i + 1];
  }
  return undefined;
}

/** The headers of a response with a body that has changed. */
export function withoutLength(headers: readonly string[]): string[] {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}

/** As each client reads it. */
export function mediaOf(head: Pick<Head, 'headers'>): 'json' | 'events' | undefined {
  return formatOfMedia(headerOf(head, 'content-type'), headerOf(head, 'content-encoding'));
}

/**
 * Of a response that may be the answer; undefined for another one. An answer in JSON-RPC passes with its status, unless the
 * status is about credentials or the upstream's session (2025-11-25 transports, "Session Management"): in the modern era 404
 * only says that there is no such method.
 */
export function formatOf(head: Head, era: Era): 'json' | 'events' | undefined {
  const { status } = head;
  const isOfSession = status === 404 && era === 'legacy';
  if (status >= 500 || status === 401 || isOfSession) return undefined;
  return mediaOf(head);
}

/** Of a response that has been read, or that is not read. */
export function noAnswerOf(head: Head): UpstreamFailure {
  const { status } = head;
  if (status < 400) return { kind: 'invalid' };
  return { kind: 'status', status, retryAfter: headerOf(head, 'retry-after') };
}

/** The response to one upstream request of the aggregate. What is common to all of them. */
export abstract class UpstreamResponse implements ClientResponse {
  statusCode = 0;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  isAnswered = false;
  readonly #onClose: (() => void)[] = [];

  get writableLength(): number {
    return 0;
  }

  get writableNeedDrain(): boolean {
    return false;
  }

  on(_event: 'close', listener: () => void): void {
    this.#onClose.push(listener);
  }

  once(_event: 'drain', listener: () => void): void {
    listener();
  }

  writeHead(status: number, headers: string[]): void {
    this.statusCode = status;
    this.headersSent = true;
    this.begin({ status, headers });
  }

  flushHeaders(): void {}

  abstract write(part: Buffer | string): boolean;

  end(rest?: Buffer | string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (this.writableEnded || this.destroyed) return;
    if (rest !== undefined)
      this.write(typeof rest === 'string' ? Buffer.from(rest, encoding) : rest);
    this.writableEnded = true;
    this.finish();
  }

  /** What has been received is not used, as the rest does not come. */
  destroy(): void {
    if (this.writableEnded || this.destroyed) return;
    this.destroyed = true;
    this.breakOff();
  }

  takeProblem(problem: ProblemError): void {
    if (this.writableEnded || this.destroyed) return;
    // A stream that was cut can be resumed.
    if (this.headersSent && problem.code === 'upstream_unreachable') {
      this.destroy();
      return;
    }
    this.statusCode = problemCodes[problem.code].status;
    this.headersSent = true;
    this.writableEnded = true;
    this.fail({ kind: 'problem', problem });
  }

  /** Nobody waits for it any more: the call upstream is aborted. */
  close(): void {
    this.destroyed = true;
    for (const listener of this.#onClose) listener();
  }

  protected abstract begin(head: Head): void;
  protected abstract finish(): void;
  protected abstract breakOff(): void;
  protected abstract fail(failure: UpstreamFailure): void;
}
