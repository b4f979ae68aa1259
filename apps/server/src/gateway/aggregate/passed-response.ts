import type { ServerResponse } from 'node:http';
import type { EventChanges } from '../../mcp/aggregate/event-rewriter.ts';
import type { Era } from '../../mcp/era.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ClientResponse } from '../client-side.ts';
import { brokenOff } from '../problems.ts';
import { failureError } from './failure-reply.ts';
import { HeldAnswer } from './held-answer.ts';
import { PassedEvents } from './passed-events.ts';
import {
  formatOf,
  NO_HEAD,
  noAnswerOf,
  type UpstreamFailure,
  withoutLength,
} from './upstream-response.ts';

/** An error in JSON-RPC that the integration has answered with. */
export interface AnsweredError {
  readonly status: number;
  readonly code: number;
}

export interface PassedResponseOptions {
  /** Of the request, as raw JSON. */
  readonly id: string;
  readonly era: Era;
  readonly integrationId: string;
  /** What is changed in event streams; undefined where nothing is. */
  readonly changes: EventChanges | undefined;
  /** Whether the client has cancelled the request: then it waits for no answer (2025-11-25 cancellation). */
  readonly isCancelled: () => boolean;
  /** Takes memory until the client's call has ended. Returns false if there is no room. */
  readonly keepOfBody: (bytes: number) => boolean;
  /** Nothing has been sent to the client. @param pass passes the error on */
  readonly onError: (error: AnsweredError, pass: () => void) => void;
  /** Nothing has been sent to the client. */
  readonly onFailed: (failure: UpstreamFailure) => void;
}

/**
 * Passes an integration's response on to the client. A response that is no answer, that does not arrive as a whole, or that
 * would tell the client about its session with us, is not passed on: `onFailed` answers instead.
 */
export class PassedResponse implements ClientResponse {
  readonly #res: ServerResponse;
  readonly #options: PassedResponseOptions;
  #head = NO_HEAD;
  /** Undefined for a response that is not passed on. */
  #body: HeldAnswer | PassedEvents | undefined;
  #hasEnded = false;

  constructor(res: ServerResponse, options: PassedResponseOptions) {
    this.#res = res;
    this.#options = options;
  }

  get headersSent(): boolean {
    return this.statusCode !== 0;
  }

  get statusCode(): number {
    return this.#head.status;
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
    const { id, era, changes, keepOfBody } = this.#options;
    const head = { status, headers };
    const format = formatOf(head, era);
    // Legacy clients may take another status for the end of the session with all integrations.
    const passedStatus = era === 'legacy' ? 200 : status;
    this.#head = head;
    if (format === 'json') {
      this.#body = new HeldAnswer(this.#res, { id, status: passedStatus, headers, keepOfBody });
    } else if (format === 'events') {
      this.#res.writeHead(passedStatus, withoutLength(headers));
      this.#body = new PassedEvents(this.#res, { id, changes, isResumable: era === 'legacy' });
    }
  }

  flushHeaders(): void {
    if (this.#body instanceof PassedEvents) this.#res.flushHeaders();
  }

  write(part: Buffer | string): boolean {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    return this.#body === undefined || this.#body.write(bytes);
  }

  end(rest?: Buffer | string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    const body = this.#body;
    if (rest !== undefined)
      this.write(typeof rest === 'string' ? Buffer.from(rest, encoding) : rest);
    if (body instanceof PassedEvents) this.#endEvents(body, brokenOffFailure);
    else if (this.#res.headersSent) this.#res.end();
    else this.#endAnswer(body);
  }

  #endAnswer(body: HeldAnswer | undefined): void {
    const { era, onError } = this.#options;
    const { status } = this.#head;
    const response = body?.read();
    if (body === undefined || response === undefined) this.#tell(noAnswerOf(this.#head));
    else if ('errorCode' in response) {
      this.#hasEnded = true;
      const pass = (): void => (era === 'legacy' ? body.sendError() : body.send());
      queueMicrotask(() => onError({ status, code: response.errorCode }, pass));
    } else body.send();
  }

  destroy(): void {
    this.#breakOff(brokenOffFailure);
  }

  takeProblem(problem: ProblemError): void {
    this.#breakOff(() => ({ kind: 'problem', problem }));
  }

  #breakOff(failure: () => UpstreamFailure): void {
    const body = this.#body;
    if (body instanceof PassedEvents) this.#endEvents(body, failure);
    else if (this.#res.headersSent) this.#res.destroy();
    // The status says more than that the rest has not come.
    else this.#tell(this.statusCode < 400 ? failure() : noAnswerOf(this.#head));
  }

  #endEvents(events: PassedEvents, failure: () => UpstreamFailure): void {
    const { integrationId, isCancelled } = this.#options;
    events.end(() => (isCancelled() ? undefined : failureError(failure(), integrationId)));
  }

  #tell(failure: UpstreamFailure): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The call upstream ends first, so that what comes next finds its session as the call has left it.
    queueMicrotask(() => this.#options.onFailed(failure));
  }
}

/** Made only for a client that gets it: an error collects its stack. */
function brokenOffFailure(): UpstreamFailure {
  return { kind: 'problem', problem: brokenOff() };
}
