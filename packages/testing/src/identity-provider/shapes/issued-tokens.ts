/** What a token request gives. */
export interface IssuedTokens {
  readonly grantType: 'authorization_code' | 'refresh_token';
  readonly accessToken: string;
  /** Where the provider's answers are Slack's: the token of the bot beside that of the user. */
  readonly botToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number | undefined;
  readonly scopes: readonly string[];
  readonly idToken: string | undefined;
  readonly sub: string;
}
