import type { PolicyReason, ProblemCode } from '@gatehouse/contract';

/** One invalid part of a request: where it is (RFC 6901 pointer into the body, or a parameter) and why. */
export interface ProblemDetail {
  readonly pointer?: string | undefined;
  readonly parameter?: string | undefined;
  readonly code: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the person connects an account. */
  readonly connectUrl?: string | undefined;
  readonly reasons?: readonly PolicyReason[];
  readonly tools?: readonly string[];
  readonly cause?: unknown;
}

/**
 * An error that is sent to the caller as a problem document (RFC 9457). The contract's list of codes
 * gives its title and status. `detail` never quotes input, header values, tokens or URLs with userinfo.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly errors: readonly ProblemDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connectUrl: string | undefined;
  /** Of `policy_refused`. */
  readonly reasons: readonly PolicyReason[];
  /** Of `tools_changed`: names. */
  readonly tools: readonly string[];

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.connectUrl = options.connectUrl;
    this.reasons = options.reasons ?? [];
    this.tools = options.tools ?? [];
  }
}
