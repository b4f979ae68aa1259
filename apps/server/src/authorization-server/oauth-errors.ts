import type { ProblemCode } from '@gatehouse/contract';
import type { ErrorRequestHandler } from 'express';
import { toProblem } from '../http/problem-response.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { errors } from './oidc-provider.ts';

const STATUS: Partial<Record<ProblemCode, number>> = {
  database_unavailable: 503,
  overloaded: 503,
  rate_limited: 429,
};

interface TemporaryFailure {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: { readonly error: string; readonly error_description: string };
}

/**
 * A failure after which a client may try again, in the form of OAuth (RFC 6749 section 5.2). Clients take
 * other errors of a token request for the end of their grant. Undefined for those.
 */
export function temporaryFailure(thrown: unknown): TemporaryFailure | undefined {
  const problem = toProblem(thrown);
  const status = STATUS[problem.code];
  if (status === undefined) return undefined;
  return {
    status,
    headers: { 'Retry-After': '1', ...problem.headers },
    body: { error: 'temporarily_unavailable', error_description: problem.message },
  };
}

/** Answers temporary failures of the endpoints that are for programs. */
export const handleTemporaryFailure: ErrorRequestHandler = (thrown, _req, res, next) => {
  const failure = temporaryFailure(thrown);
  if (failure === undefined || res.headersSent) return next(thrown);
  res.set(failure.headers).status(failure.status).json(failure.body);
};

/** The person has to connect first. */
export class ConnectionRequired extends errors.InvalidTarget {
  readonly connectUrl: string;

  constructor(description: string, connectUrl: string) {
    super(description);
    this.connectUrl = connectUrl;
  }
}

/** Refusals that are about the integration that the client has named. */
const TARGET_CODES: readonly ProblemCode[] = [
  'auth_mode_mismatch',
  'forbidden',
  'integration_misconfigured',
  'not_credential_only',
  'not_found',
  'policy_refused',
];

/** Turns a refusal to hand out into an OAuth error (RFC 8693 section 2.2.2). Any other error stays as it is. */
export function toExchangeError(thrown: unknown): unknown {
  if (!(thrown instanceof ProblemError)) return thrown;
  const { code, message, connectUrl } = thrown;
  if (connectUrl !== undefined) return new ConnectionRequired(message, connectUrl);
  if (TARGET_CODES.includes(code)) return new errors.InvalidTarget(message);
  return code === 'unauthenticated' ? new errors.InvalidRequest(message) : thrown;
}
