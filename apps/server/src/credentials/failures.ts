import {
  authorizationFailures,
  clauseOf,
  credentialFailures,
  type Failure,
  failuresOf,
  REDIRECT_URI,
} from '@gatehouse/contract';

const byAdmin = failuresOf('misconfigured', 'admin');
const byPerson = failuresOf('needs_user', 'person');

/** The server token is the credential that was rejected. */
export const SERVER_TOKEN_REJECTED = failuresOf('invalid', 'admin')(
  credentialFailures.credential_rejected.sentence,
  'Set another serverToken.',
);

/** Failures of calls through the gateway only. */
export const callFailures = {
  consent_required: byPerson(
    'The integration was attached to the application after you agreed to it.',
    'Sign in again from your MCP client, and agree to this integration too.',
  ),
  insufficient_scope: byPerson(
    'The server requires more permissions than you have given.',
    'Connect again to give them.',
  ),
};

/** Failures of connecting and refreshing that validation never reports. */
export const exchangeFailures = {
  client_rejected: { ...credentialFailures.client_rejected, outcome: 'misconfigured' },
  secret_unreadable: byAdmin('The client secret cannot be decrypted.', 'Enter the secret again.'),
  secret_key_not_loaded: failuresOf('transient', 'operator')(
    'The encryption key of the client secret is not loaded.',
    'Add it to GATEHOUSE_ENCRYPTION_KEYS.',
  ),
  registration_refused: byAdmin(
    'The authorization server refused to register Gatehouse.',
    authorizationFailures.no_client.hint,
  ),
  redirect_uri_rejected: byAdmin(
    'The authorization server does not know the redirect URI.',
    `Enter ${REDIRECT_URI} in the OAuth app at the provider.`,
  ),
  scope_rejected: byAdmin(
    'The authorization server does not accept the scopes.',
    'Check scopes in the OAuth configuration, and what the OAuth app may use.',
  ),
  resource_rejected: byAdmin(
    'The authorization server does not accept the resource.',
    'Set resource to the value that the authorization server expects.',
  ),
  request_rejected: byAdmin(
    'The authorization server refused the request.',
    'Check the OAuth configuration.',
  ),
  id_token_invalid: byAdmin(
    "The provider's ID token is not valid for this attempt.",
    'Check issuer and clientId in the OAuth configuration, and the provider; the log says what is wrong.',
  ),
  grant_rejected: byPerson('The provider no longer accepts this connection.', 'Connect again.'),
  access_denied: byPerson('You did not give access at the provider.', 'Connect again to give it.'),
  state_mismatch: byPerson('The response does not belong to this attempt.', 'Connect again.'),
  iss_mismatch: byPerson(
    'The response does not come from the provider of this attempt.',
    'Connect again.',
  ),
} as const;

/** For the caller of an integration, who can act only as the person. @param detail such as a status */
export function failureForCaller(
  { sentence, hint, actor }: Pick<Failure, 'sentence' | 'hint' | 'actor'>,
  detail?: string,
): string {
  const fact = detail === undefined ? sentence : `${sentence.slice(0, -1)} (${detail}).`;
  if (actor === 'admin') return `${fact} An administrator must ${clauseOf(hint)}.`;
  return actor === 'operator'
    ? `${fact} The operator of Gatehouse must ${clauseOf(hint)}.`
    : `${fact} ${hint}`;
}
