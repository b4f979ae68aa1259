import { problemCodes } from '@gatehouse/contract';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { ClientResponse } from '../client-side.ts';

/** Why an integration's response is not passed on. */
export type UpstreamFailure =
  | { readonly kind: 'problem'; readonly problem: ProblemError }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: string | undefined;
    };

/**
 * The upstream has forgotten the session (2025-11-25 transports, "Session Management"), and has not executed the request,
 * so it can be sent again. A session that is ended here may have had its request executed.
 */
export function isSessionForgotten(failure: UpstreamFailure): boolean {
  return failure.kind === 'status' && failure.status === 404;
}

/** The media type of one message. */
export const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function headOf(status: number, headers: readonly string[]): Head {
  const named: Record<string, string> = {};
  for (let i = 0; i + 1 < headers.length; i += 2) {
    named[(headers[i] as string).toLowerCase()] = headers[i + 1] as string;
  }
  return { status, headers: named };
}

/** The response to one upstream request of the aggregate. What is common to all of them. */
export abstract class UpstreamResponse implements ClientResponse {
  statusCode = 0;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
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
    this.begin(headOf(status, headers), headers);
  }

  flushHeaders(): void {}

  abstract write(part: Buffer | string): boolean;

  end(text?: string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (this.writableEnded || this.destroyed) return;
    if (text !== undefined) this.write(Buffer.from(text, encoding));
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

  protected abstract begin(head: Head, headers: string[]): void;
  protected abstract finish(): void;
  protected abstract breakOff(): void;
  protected abstract fail(failure: UpstreamFailure): void;
}
