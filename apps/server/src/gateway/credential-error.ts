import { clauseOf, credentialFailures, type Failure } from '@gatehouse/contract';
import { connectUrlOf, consentUrlOf } from '../credentials/connect/connect-url.ts';
import { callFailures, failureForCaller, SERVER_TOKEN_REJECTED } from '../credentials/failures.ts';
import type {
  CredentialOutcome,
  ReadyCredential,
  UnusableCredential,
} from '../credentials/outcome.ts';
import { CREDENTIAL_ERROR } from '../mcp/errors.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { NeededUser } from './admission.ts';
import type { CallRefusal } from './call-record.ts';

/** An integration, and the page on which a person connects to it. */
export interface ConnectPage {
  readonly integrationId: string;
  /** Without a token: the person signs in there. */
  readonly connectUrl: string;
}

/** @param publicUrl our origin */
export function connectPageOf(publicUrl: string, integrationId: string): ConnectPage {
  return { integrationId, connectUrl: connectUrlOf(publicUrl, integrationId) };
}

/** A call has no credential that the upstream accepts. */
export interface CredentialError extends CallRefusal {
  readonly data: {
    readonly code: 'connection_required' | 'credential_rejected' | 'session_revoked';
    readonly integrationId: string;
    /** The exact cause, if it helps. */
    readonly reason?: string;
    /** Where the person connects, if that helps. */
    readonly connectUrl?: string;
    /** The same request will have a credential that was obtained meanwhile. */
    readonly retry?: true;
  };
}

/** A call has no credential until its person acts. */
export interface ConnectError extends CredentialError {
  readonly data: CredentialError['data'] & { readonly connectUrl: string };
}

function credentialError({
  message,
  ...data
}: CredentialError['data'] & { readonly message: string }): CredentialError {
  return { code: CREDENTIAL_ERROR, message, data };
}

const RENEWED =
  'The integration rejected your credential, which has been renewed meanwhile: send the request again.';

/** The error of a call until its person connects, or agrees that the client uses their connection. */
export function connectError(need: NeededUser, page: ConnectPage): ConnectError {
  const { message, connectUrl } =
    need.reason === 'consent_required'
      ? agreeFirst(consentUrlOf(page.connectUrl, need.grantId))
      : connectAgain(credentialFailures[need.reason], page.connectUrl);
  const { integrationId } = page;
  const { reason } = need;
  const data = { code: 'connection_required', integrationId, reason, connectUrl } as const;
  return { code: CREDENTIAL_ERROR, message, data };
}

/**
 * The error of a call for which there is no credential to send.
 *
 * @throws ProblemError `credential_unavailable` when one is stored but cannot be decrypted.
 */
export function missingCredential(outcome: UnusableCredential, page: ConnectPage): CredentialError {
  if (outcome.kind === 'needs_user') return connectError(outcome, page);
  const { reason } = outcome;
  const failure = credentialFailures[reason];
  if (failure.actor === 'admin') {
    const { integrationId } = page;
    const message = failureForCaller(failure);
    return credentialError({ code: 'connection_required', integrationId, reason, message });
  }
  const isPassing = failure.actor === 'nobody';
  throw new ProblemError('credential_unavailable', failureForCaller(failure), {
    ...(isPassing ? { headers: { 'Retry-After': '5' } } : {}),
  });
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
  page: ConnectPage,
): CredentialError {
  if (renewed !== undefined && renewed.kind !== 'ready') return missingCredential(renewed, page);
  const { integrationId, connectUrl } = page;
  const error = { code: 'credential_rejected', integrationId } as const;
  if (renewed !== undefined) return credentialError({ ...error, message: RENEWED, retry: true });
  if (source === 'connection') {
    return credentialError({
      ...error,
      ...connectAgain(credentialFailures.credential_rejected, connectUrl),
    });
  }
  const failure =
    source === 'server_token' ? SERVER_TOKEN_REJECTED : credentialFailures.credential_required;
  return credentialError({ ...error, message: failureForCaller(failure) });
}

/** The error of a call that lacked scopes, which the page to connect will ask for. */
export function lackingScopes({ integrationId, connectUrl }: ConnectPage): CredentialError {
  const error = {
    code: 'credential_rejected',
    reason: 'insufficient_scope',
    integrationId,
  } as const;
  return credentialError({
    ...error,
    ...connectAgain(callFailures.insufficient_scope, connectUrl),
  });
}

/** An admin or the person has ended the session with this integration: it is not opened again by itself. */
export function revokedSession({
  integrationId,
}: Pick<ConnectPage, 'integrationId'>): CredentialError {
  return credentialError({
    code: 'session_revoked',
    integrationId,
    message:
      'Your session with this integration was ended. Reconnect to this server, or start your client again, to use it.',
  });
}

function connectAgain(failure: Pick<Failure, 'sentence'>, connectUrl: string) {
  const when = failure === credentialFailures.connection_required ? 'first' : 'again';
  const why = clauseOf(failure.sentence);
  return {
    message: `Connect to this integration ${when}: ${why}. Open ${connectUrl}`,
    connectUrl,
  };
}

function agreeFirst(connectUrl: string) {
  const why = clauseOf(callFailures.consent_required.sentence);
  return { message: `Agree to this integration: ${why}. Open ${connectUrl}`, connectUrl };
}
