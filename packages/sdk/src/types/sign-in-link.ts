/**
 * Body of `POST /members/:id/sign-in-link`.
 */
export interface CreateSignInLinkBody {
  /**
   * `invitation`: to choose a first password; `reset`: to choose another one. By default what fits the
   * member.
   */
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
