import { refusalTexts } from '@gatehouse/contract';
import { ProblemError } from '../platform/problem-error.ts';

const SCHEME = /^bearer +([\x21-\x7e]{1,8192}) *$/i;

/**
 * The bearer token of an `Authorization` header (RFC 6750 section 2.1). `undefined` without a header,
 * `null` when the header does not contain a bearer token.
 */
export function bearerTokenOf(header: string | undefined): string | null | undefined {
  if (header === undefined) return undefined;
  return SCHEME.exec(header)?.[1] ?? null;
}

/** The bearer token of an `Authorization` header. @throws ProblemError `unauthenticated` */
export function requireBearer(authorization: string | undefined): string {
  const token = bearerTokenOf(authorization);
  if (token === undefined) throw unauthenticated(refusalTexts.tokenRequired, false);
  if (token !== null) return token;
  throw unauthenticated(refusalTexts.notBearer, true);
}

/** 401 for a token that is unknown, or no longer valid. */
export function invalidToken(): ProblemError {
  return unauthenticated(refusalTexts.tokenUnknown, true);
}

/** 401 with the challenge of RFC 6750 section 3, which has `invalid_token` only if a token was sent. */
function unauthenticated(detail: string, hasToken: boolean): ProblemError {
  const challenge = hasToken ? 'Bearer error="invalid_token"' : 'Bearer';
  return new ProblemError('unauthenticated', detail, {
    headers: { 'WWW-Authenticate': challenge },
  });
}
