import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { EgressError } from '../../egress/errors.ts';
import { IssuedInFuture } from '../../platform/id-tokens.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { IssuerDiffers } from './provider.ts';

/** Why a sign-in at the provider failed before the person was identified. */
export type Failure = 'declined' | 'unavailable' | 'untrusted';

/** Errors of openid-client that say that the provider does not answer as it should. */
const UNAVAILABLE = new Set<string | undefined>([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

export function failureOf(error: unknown): Failure {
  if (error instanceof AuthorizationResponseError) return 'declined';
  if (error instanceof ResponseBodyError) {
    // The code is not this attempt's (RFC 6749 section 5.2); any other error is a configuration mistake
    // here.
    return error.error === 'invalid_grant' ? 'untrusted' : 'unavailable';
  }
  // Its metadata was asked for too often.
  if (error instanceof ProblemError || isOfEgress(error)) return 'unavailable';
  if (error instanceof ClientError && UNAVAILABLE.has(error.code)) return 'unavailable';
  return 'untrusted';
}

/** The part that is safe to log: messages and causes may quote a response. */
export function loggedFailure(error: unknown): Readonly<Record<string, unknown>> {
  const failure = failureOf(error);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return { failure, error: error.error };
  }
  const isNamed =
    error instanceof ClientError ||
    error instanceof IssuerDiffers ||
    error instanceof IssuedInFuture;
  return isNamed ? { failure, code: error.code } : { failure };
}

function isOfEgress(error: unknown): boolean {
  if (error instanceof EgressError) return true;
  return error instanceof Error && error.cause !== undefined && isOfEgress(error.cause);
}
