import type {
  CredentialOutcome,
  ReadyCredential,
  UnusableCredential,
} from '../credentials/outcome.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { ConsentRequired } from './authorize-call.ts';
import type { ConnectPlace } from './connect-place.ts';

/** A call has no credential that the upstream accepts. All but the message is the error's `data`. */
export interface CredentialError {
  readonly code: 'connection_required' | 'credential_rejected';
  /** What to do, in one or two sentences. */
  readonly message: string;
  readonly integrationId: string;
  /** The exact cause, if it helps. */
  readonly reason?: string;
  /** Where the person connects, if that helps. */
  readonly connectUrl?: string;
  /** The same request will have a credential that was obtained meanwhile. */
  readonly retry?: true;
}

const CONNECT = {
  connection_required:
    'Connect to this integration first: no credential of yours is stored for it.',
  needs_reauth:
    'Connect to this integration again: your access has ended, or the integration has changed.',
  expired: 'Connect to this integration again: your credential has expired.',
} as const;

/** The connect page does not help: consent is given where the MCP client signs in. */
const CONSENT_REQUIRED =
  'This integration was attached to the application after you agreed to it. Sign in again from your MCP client, and agree to this integration too.';

const ADMINISTER = {
  server_token_missing: 'An administrator must store a server token for this integration.',
  server_token_misfit:
    'An administrator must make the credential schema of this integration fit its server token.',
  oauth_not_configured: 'An administrator must configure OAuth for this integration.',
  client_rejected:
    'The authorization server of this integration does not accept our client: an administrator must check its OAuth configuration.',
} as const;

const UNREADABLE = {
  key_not_loaded:
    'The encryption key of the stored credential is not loaded: the operator must add it. Nobody needs to enter the credential again.',
  decryption_failed: 'The stored credential cannot be read: it must be entered again.',
} as const;

const REFRESH_FAILED =
  'The authorization server of this integration did not renew your access. It is tried again: nobody needs to connect again.';

const REJECTED = {
  connection: 'The integration rejected your credential: connect to it again.',
  server_token: 'The integration rejected the server token: an administrator must replace it.',
  none: 'The integration asks for a credential: an administrator must change its authentication mode.',
} as const;

const LACKING =
  'The integration wants more permissions for this than you have given: connect to it again to give them.';

const RENEWED =
  'The integration rejected your credential, which has been renewed meanwhile: send the request again.';

/**
 * The error of a call for which there is no credential to send.
 *
 * @throws ProblemError `credential_unavailable` when one is stored but cannot be decrypted.
 */
export function missingCredential(
  outcome: UnusableCredential | ConsentRequired,
  { integrationId, connectUrl }: ConnectPlace,
): CredentialError {
  const { reason } = outcome;
  if (reason === 'refresh_failed') {
    throw new ProblemError('credential_unavailable', REFRESH_FAILED, {
      headers: { 'Retry-After': '5' },
    });
  }
  if (reason === 'key_not_loaded' || reason === 'decryption_failed') {
    throw new ProblemError('credential_unavailable', UNREADABLE[reason]);
  }
  const error = { code: 'connection_required', integrationId, reason } as const;
  if (reason === 'consent_required') return { ...error, message: CONSENT_REQUIRED };
  if (outcome.kind !== 'needs_user') {
    return { ...error, message: ADMINISTER[reason as keyof typeof ADMINISTER] };
  }
  return { ...error, message: `${CONNECT[outcome.reason]} Open ${connectUrl}`, connectUrl };
}

/**
 * The error of a call that the upstream answered with 401.
 *
 * @param renewed what renewing the credential has given. With a ready one the call would have been sent
 *   again, had its body still been there.
 * @throws ProblemError `credential_unavailable`
 */
export function rejectedCredential(
  { source }: Pick<ReadyCredential, 'source'>,
  renewed: CredentialOutcome | undefined,
  place: ConnectPlace,
): CredentialError {
  if (renewed !== undefined && renewed.kind !== 'ready') return missingCredential(renewed, place);
  const { integrationId, connectUrl } = place;
  const error = { code: 'credential_rejected', integrationId } as const;
  if (renewed !== undefined) return { ...error, message: RENEWED, retry: true };
  if (source !== 'connection') return { ...error, message: REJECTED[source] };
  return { ...error, message: `${REJECTED.connection} Open ${connectUrl}`, connectUrl };
}

/** The error of a call that lacked scopes, which the page to connect will ask for. */
export function lackingScopes({ integrationId, connectUrl }: ConnectPlace): CredentialError {
  const error = {
    code: 'credential_rejected',
    reason: 'insufficient_scope',
    integrationId,
  } as const;
  return { ...error, message: `${LACKING} Open ${connectUrl}`, connectUrl };
}
