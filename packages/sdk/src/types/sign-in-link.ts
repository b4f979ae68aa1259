/**
 * Body of `POST /members/:id/sign-in-link`. Default: `invitation` for a member without a password,
 * otherwise `reset`.
 */
export interface CreateSignInLinkBody {
  readonly purpose?: 'invitation' | 'reset' | undefined;
}

/**
 * A link for one member, which works once.
 */
export interface SignInLinkResponse {
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}
