/** Seconds by which the clocks of a provider and of this server may differ. */
export const CLOCK_TOLERANCE = 60;

/** The sentence quotes nothing of the token, so it may be logged. */
export class IssuedInFuture extends Error {
  override readonly name = 'IssuedInFuture';
  readonly code = 'ISSUED_IN_FUTURE';
}

/**
 * Refuses an ID token that was issued in the future, which OpenID Connect Core 1.0 section 3.1.3.7 leaves to the client.
 * The libraries only check that `iat` is a number.
 *
 * @param iat seconds since 1970
 * @throws IssuedInFuture
 */
export function checkIssuedAt(iat: number): void {
  if (iat <= Date.now() / 1000 + CLOCK_TOLERANCE) return;
  throw new IssuedInFuture(
    'unexpected ID Token "iat" (issued at) claim value, it is in the future',
  );
}
