import { presentDestination } from '@gatehouse/contract';
import type { ConnectionMode } from '../generated/prisma/enums.ts';
import { bearerHeaders, credentialHeaders } from './credential-headers.ts';
import type { CredentialOutcome, CredentialTarget } from './outcome.ts';
import type { StoredCredential } from './stored-credential.ts';

/** A server token as read and opened; `token` is undefined when it does not open. */
export interface HeldServerToken {
  readonly destination: string;
  readonly token: string | undefined;
}

/** A connection as read and opened; `credential` is undefined when it does not open. */
export interface HeldConnection {
  readonly connectionId: string;
  readonly mode: ConnectionMode;
  readonly destination: string;
  readonly credential: StoredCredential | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number | undefined;
}

/** What is sent to a target without authentication. */
export const NO_CREDENTIAL: CredentialOutcome = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};

/** OAuth cannot be used yet; what is missing tells what an administrator has to do. */
export function outcomeOfOauth(target: CredentialTarget): CredentialOutcome {
  const isConfigured = target.oauthIssuer !== undefined;
  return {
    kind: 'unavailable',
    reason: isConfigured ? 'oauth_not_supported' : 'oauth_not_configured',
  };
}

/** A server token entered for another origin counts as missing. */
export function outcomeOfServerToken(
  target: CredentialTarget,
  held: HeldServerToken | undefined,
): CredentialOutcome {
  if (held === undefined || held.destination !== presentDestination(target)) {
    return { kind: 'unavailable', reason: 'server_token_missing' };
  }
  if (held.token === undefined) return { kind: 'unavailable', reason: 'decryption_failed' };
  const headers = bearerHeaders(held.token);
  return { kind: 'ready', headers, source: 'server_token', connectionId: undefined };
}

/** A connection made for another destination or mode is kept, and never sent. */
export function outcomeOfConnection(
  target: CredentialTarget,
  held: HeldConnection | undefined,
  now: number,
): CredentialOutcome {
  if (held === undefined) return { kind: 'needs_user', reason: 'connection_required' };
  if (held.mode !== target.authMode || held.destination !== presentDestination(target)) {
    return { kind: 'needs_user', reason: 'needs_reauth' };
  }
  if (held.credential === undefined) return { kind: 'unavailable', reason: 'decryption_failed' };
  if (held.expiresAt !== undefined && held.expiresAt <= now) {
    return { kind: 'needs_user', reason: 'expired' };
  }
  const headers = credentialHeaders(target.credentialSchema, held.credential);
  if (headers === undefined) return { kind: 'needs_user', reason: 'needs_reauth' };
  return { kind: 'ready', headers, source: 'connection', connectionId: held.connectionId };
}
