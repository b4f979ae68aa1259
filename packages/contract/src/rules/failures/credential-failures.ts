import type { StageCode } from '../../shared/validation.ts';
import { failuresOf } from './failure.ts';

const byPerson = failuresOf('pending', 'person');
const byAdmin = failuresOf('pending', 'admin');
const byNobody = failuresOf('pending', 'nobody');
const rejected = failuresOf('invalid', 'person');
const unsuitable = failuresOf('invalid', 'admin');
const unreadable = failuresOf('invalid', 'operator');

/** Failures of the stage `credential`. */
export const credentialFailures = {
  credential_required: unsuitable(
    'The server requires a credential, but the integration is configured without one.',
    'Set another authMode.',
  ),
  credential_rejected: rejected(
    'The server refused the credential.',
    'Connect again, or set another serverToken.',
  ),
  permission_denied: rejected(
    'The server does not permit the request with the credential.',
    'Check the permissions of the account or token at the provider.',
  ),
  connection_required: byPerson(
    'You have not connected an account yet.',
    'Connect, then validate again.',
  ),
  needs_reauth: byPerson(
    'Your connection no longer fits the integration, or the provider has ended it.',
    'Connect again.',
  ),
  expired: rejected('Your connection has expired.', 'Connect again.'),
  server_token_missing: byAdmin(
    'The integration has no server token for its URL.',
    'Set serverToken.',
  ),
  server_token_misfit: byAdmin(
    'The credentialSchema has no property that sends a single token.',
    'Set another credentialSchema or serverToken.',
  ),
  oauth_not_configured: byAdmin('The integration has no OAuth configuration.', 'Set oauth.'),
  client_rejected: byAdmin(
    'The authorization server does not accept the client.',
    'Check clientId, clientSecret and tokenEndpointAuthMethod in the OAuth configuration.',
  ),
  refresh_failed: byNobody(
    'The authorization server did not refresh your access.',
    'Try again later.',
  ),
  key_not_loaded: unreadable(
    'The encryption key of the stored credential is not loaded.',
    'Add it to GATEHOUSE_ENCRYPTION_KEYS.',
  ),
  decryption_failed: rejected(
    'The stored credential cannot be decrypted.',
    'Enter the credential again, or connect again.',
  ),
} satisfies Partial<Record<StageCode, unknown>>;
