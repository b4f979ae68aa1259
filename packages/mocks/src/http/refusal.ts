import {
  type PolicyReason,
  PROBLEM_CONTENT_TYPE,
  type Problem,
  type ProblemCode,
  type ProblemError,
  problemCodes,
  problemType,
} from '@gatehouse/contract';

export interface RefusalOptions {
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connectUrl?: string;
  /** Of `policy_refused`. */
  readonly reasons?: readonly PolicyReason[];
  /** Of `tools_changed`: names. */
  readonly tools?: readonly string[];
}

/** Rejects a request with a problem document. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  readonly errors: readonly ProblemError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connectUrl: string | undefined;
  readonly reasons: readonly PolicyReason[] | undefined;
  readonly tools: readonly string[] | undefined;

  constructor(code: ProblemCode, detail: string, options: RefusalOptions = {}) {
    super(detail);
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.connectUrl = options.connectUrl;
    this.reasons = options.reasons;
    this.tools = options.tools;
  }
}

/** A 400 for one field of the body. @param detail what is wrong with the request, by default what is wrong with the field */
export function invalidField(
  pointer: string,
  code: string,
  message: string,
  detail = message,
): Refusal {
  return new Refusal('validation_failed', detail, { errors: [{ pointer, code, message }] });
}

/** The response to a rejected request. `path` is the path of the request, without its query. */
export function refusalResponse(
  { code, message, errors, headers, connectUrl, reasons, tools }: Refusal,
  { path, requestId }: { readonly path: string; readonly requestId: string },
): Response {
  const { status, title } = problemCodes[code];
  const problem: Problem = {
    type: problemType(code),
    title,
    status,
    detail: message,
    instance: path,
    code,
    requestId,
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
    ...(connectUrl === undefined ? {} : { connectUrl }),
    ...(reasons === undefined ? {} : { reasons: [...reasons] }),
    ...(tools === undefined ? {} : { tools: [...tools] }),
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { ...headers, 'Content-Type': `${PROBLEM_CONTENT_TYPE}; charset=utf-8` },
  });
}
