/**
 * What failed. The list is closed; each code has one outcome and one sentence.
 *
 * `grant_rejected`: the code or refresh token is not, or no longer, valid. `client_rejected`: our client
 * id or secret is not. `request_rejected`: any other refusal of what we sent.
 */
export type UpstreamOauthCode =
  | 'unreachable'
  | 'timeout'
  | 'server_error'
  | 'rate_limited'
  | 'egress_denied'
  | 'insecure_endpoint'
  | 'metadata_not_found'
  | 'metadata_invalid'
  | 'issuer_mismatch'
  | 'resource_mismatch'
  | 'pkce_not_supported'
  | 'no_client'
  | 'secret_unreadable'
  | 'secret_key_not_loaded'
  | 'registration_refused'
  | 'client_rejected'
  | 'redirect_uri_rejected'
  | 'scope_rejected'
  | 'resource_rejected'
  | 'request_rejected'
  | 'response_invalid'
  | 'grant_rejected'
  | 'access_denied'
  | 'state_mismatch';

/**
 * Who can mend it. `transient`: nobody has to, another attempt may succeed. `needs_user`: the person
 * connects again. `misconfigured`: an admin, here or at the provider; connections stay.
 */
export type UpstreamOauthOutcome = 'transient' | 'needs_user' | 'misconfigured';

type Failure = readonly [outcome: UpstreamOauthOutcome, message: string];

const FAILURES: Readonly<Record<UpstreamOauthCode, Failure>> = {
  unreachable: [
    'transient',
    'The authorization server cannot be reached. Try again later, and check that its address is right.',
  ],
  timeout: ['transient', 'The authorization server did not respond in time. Try again later.'],
  server_error: [
    'transient',
    'The authorization server reports an error of its own. Try again later.',
  ],
  rate_limited: [
    'transient',
    'The authorization server takes no more requests now. Try again later.',
  ],
  egress_denied: [
    'misconfigured',
    'The address of the authorization server is not public. Add its network to GATEHOUSE_ALLOWED_NETWORKS to allow it.',
  ],
  insecure_endpoint: [
    'misconfigured',
    'The authorization server must use https. Plain http is for networks in GATEHOUSE_ALLOWED_NETWORKS.',
  ],
  metadata_not_found: [
    'misconfigured',
    'No authorization server was found for this URL. Check the URL, or set `issuer` in the OAuth configuration.',
  ],
  metadata_invalid: [
    'misconfigured',
    'The metadata of the server is not valid. Tell those who run the server.',
  ],
  issuer_mismatch: [
    'misconfigured',
    'The authorization server has another issuer than the one expected. Set `issuer` to exactly the value that it publishes.',
  ],
  resource_mismatch: [
    'misconfigured',
    'The metadata of the server describes another URL. Enter the URL of the integration as the server publishes it.',
  ],
  pkce_not_supported: [
    'misconfigured',
    'The authorization server does not say that it supports PKCE with S256. Set `issuer` and `clientId` to use it all the same, if it lists no other method.',
  ],
  no_client: [
    'misconfigured',
    'The authorization server lets no client register itself. Create an OAuth app at the provider and set `clientId` and `clientSecret`.',
  ],
  secret_unreadable: [
    'misconfigured',
    'The client secret cannot be decrypted. Enter the secret again.',
  ],
  secret_key_not_loaded: [
    'transient',
    'The encryption key of the client secret is not loaded: the operator must add it. Nobody needs to enter the secret again.',
  ],
  registration_refused: [
    'misconfigured',
    'The authorization server refused to register Gatehouse. Create an OAuth app at the provider and set `clientId` and `clientSecret`.',
  ],
  client_rejected: [
    'misconfigured',
    'The authorization server does not accept the client. Check `clientId`, `clientSecret` and `tokenEndpointAuthMethod`.',
  ],
  redirect_uri_rejected: [
    'misconfigured',
    'The authorization server does not know the redirect URI. Enter <origin>/oauth/callback in the OAuth app at the provider.',
  ],
  scope_rejected: [
    'misconfigured',
    'The authorization server does not accept the scopes. Check `scopes`, and what the OAuth app may use.',
  ],
  resource_rejected: [
    'misconfigured',
    'The authorization server does not accept the resource. Set `resource` to the value that it expects.',
  ],
  request_rejected: [
    'misconfigured',
    'The authorization server refused the request. Check the OAuth configuration.',
  ],
  response_invalid: [
    'misconfigured',
    'The response of the authorization server cannot be used. Check `issuer` and `provider`.',
  ],
  grant_rejected: ['needs_user', 'The provider no longer accepts this connection. Connect again.'],
  access_denied: ['needs_user', 'Access was not given at the provider. Connect again to give it.'],
  state_mismatch: ['needs_user', 'The response does not belong to this attempt. Connect again.'],
};

/** A failed exchange with a provider. The message is fixed and never quotes what a provider sent. */
export class UpstreamOauthError extends Error {
  override readonly name = 'UpstreamOauthError';
  readonly code: UpstreamOauthCode;
  readonly outcome: UpstreamOauthOutcome;
  /** Milliseconds after which the provider wants the next request, if it said so. */
  readonly retryAfter?: number;

  constructor(code: UpstreamOauthCode, { retryAfter }: { readonly retryAfter?: number } = {}) {
    const [outcome, message] = FAILURES[code];
    super(message);
    this.code = code;
    this.outcome = outcome;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}
