/** Who has signed in at an OpenID Connect provider, as the provider says. */
export interface ExternalPerson {
  readonly issuer: string;
  /** The provider's `sub`: it never changes, and is never given to somebody else. */
  readonly subject: string;
  /** In lower case; undefined if there is none that could be an email. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined if the provider does not decide about roles. */
  readonly role: 'admin' | 'member' | undefined;
}
