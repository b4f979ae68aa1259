/** The OpenID Connect provider with which people may sign in. */
export interface ExternalSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In lower case. Whoever has a verified email of such a domain becomes a member. */
  readonly allowedDomains: readonly string[];
  /** Undefined where roles are given in Gatehouse alone. */
  readonly roleClaim: string | undefined;
}
