import type { ServerResponse } from 'node:http';
import { type EventChanges, EventRewriter } from '../../mcp/aggregate/event-rewriter.ts';
import type { Era } from '../../mcp/era.ts';
import { isEventStream } from '../../mcp/event-stream.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ClientResponse } from '../client-side.ts';
import { type Head, headOf, JSON_TYPE, type UpstreamFailure } from './upstream-response.ts';

export interface PassedResponseDeps {
  /** What is changed in event streams; undefined where nothing is. */
  readonly changes: EventChanges | undefined;
  /** The head is sent. */
  readonly onPassed: () => void;
  readonly onFailed: (failure: UpstreamFailure) => void;
}

/**
 * Passes an integration's response on to the client. A response that would tell the client about its session with us,
 * or about our HTTP, is not passed on: `onFailed` answers instead.
 */
export class PassedResponse implements ClientResponse {
  readonly #res: ServerResponse;
  readonly #era: Era;
  readonly #deps: PassedResponseDeps;
  #events: EventRewriter | undefined;
  #failed: { readonly failure: UpstreamFailure; readonly status: number } | undefined;
  #hasEnded = false;

  constructor(res: ServerResponse, era: Era, deps: PassedResponseDeps) {
    this.#res = res;
    this.#era = era;
    this.#deps = deps;
  }

  get headersSent(): boolean {
    return this.#failed !== undefined || this.#res.headersSent;
  }

  get statusCode(): number {
    return this.#failed?.status ?? this.#res.statusCode;
  }

  get destroyed(): boolean {
    return this.#res.destroyed;
  }

  get writableEnded(): boolean {
    return this.#hasEnded || this.#res.writableEnded;
  }

  get writableLength(): number {
    return this.#res.writableLength;
  }

  get writableNeedDrain(): boolean {
    return this.#res.writableNeedDrain;
  }

  on(event: 'close', listener: () => void): void {
    this.#res.on(event, listener);
  }

  once(event: 'drain', listener: () => void): void {
    this.#res.once(event, listener);
  }

  writeHead(status: number, headers: string[]): void {
    if (isPassed(status, headers, this.#era)) {
      const { changes, onPassed } = this.#deps;
      const isStream = isEventStream(headOf(status, headers).headers['content-type']);
      if (changes !== undefined && isStream) this.#events = new EventRewriter(changes);
      const isChanged = this.#events !== undefined;
      this.#res.writeHead(status, isChanged ? withoutLength(headers) : headers);
      onPassed();
    } else {
      const retryAfter = headOf(status, headers).headers['retry-after'];
      this.#failed = { failure: { kind: 'status', status, retryAfter }, status };
    }
  }

  flushHeaders(): void {
    if (this.#failed === undefined) this.#res.flushHeaders();
  }

  write(part: Buffer | string): boolean {
    if (this.#failed !== undefined) return true;
    if (this.#events === undefined) return this.#res.write(part);
    const events = this.#events.feed(typeof part === 'string' ? Buffer.from(part) : part);
    return events.length === 0 || this.#res.write(Buffer.concat(events));
  }

  end(text?: string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (this.#failed !== undefined) this.#tell(this.#failed.failure);
    else if (this.#events !== undefined) {
      if (text !== undefined) this.write(Buffer.from(text, encoding));
      this.#res.end(this.#events.end());
    } else if (text === undefined) this.#res.end();
    else this.#res.end(text, encoding);
  }

  destroy(): void {
    if (this.#failed === undefined) this.#res.destroy();
    else this.#tell(this.#failed.failure);
  }

  takeProblem(problem: ProblemError): void {
    this.#tell({ kind: 'problem', problem });
  }

  #tell(failure: UpstreamFailure): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The call upstream ends first, so that what comes next finds its session as the call has left it.
    queueMicrotask(() => this.#deps.onFailed(failure));
  }
}

/** Changed ids have other lengths. */
function withoutLength(headers: readonly string[]): string[] {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}

/**
 * An answer in JSON-RPC passes with its status, unless the status is about credentials or the upstream's session (2025-11-25
 * transports, "Session Management"): in the modern era 404 only says that there is no such method.
 */
function isPassed(status: number, headers: readonly string[], era: Era): boolean {
  if (status < 400) return true;
  const { headers: named }: Head = headOf(status, headers);
  const type = named['content-type'] ?? '';
  if (!JSON_TYPE.test(type) && !isEventStream(type)) return false;
  return status < 500 && status !== 401 && !(status === 404 && era === 'legacy');
}
