import type { HeaderPairs } from '../egress/sender.ts';

/**
 * A credential as the user entered it: a single token, or the fields of the credential schema. The
 * schema at the time of sending determines the headers.
 */
export type StoredCredential =
  | { readonly token: string }
  | { readonly fields: Readonly<Record<string, string | number | boolean>> };

/** The text to seal into a connection. */
export function serializeCredential(credential: StoredCredential): string {
  return JSON.stringify(credential);
}

/** Parses what `serializeCredential` wrote. Not validated, because the vault has authenticated it. */
export function parseCredential(text: string): StoredCredential {
  return JSON.parse(text) as StoredCredential;
}

/** The credential to send; without headers if it is not needed. */
export interface ReadyCredential {
  readonly kind: 'ready';
  readonly headers: HeaderPairs;
  readonly source: 'none' | 'server_token' | 'connection';
  /** The connection that the headers come from, to mark it when the upstream rejects them. */
  readonly connectionId: string | undefined;
  /** When it expires, in epoch milliseconds, if known. */
  readonly expiresAt?: number | undefined;
}

/**
 * Why no credential can be sent. `needs_user`: the user must connect, or connect again.
 * `unavailable`: an administrator must act.
 */
export type UnusableCredential =
  | {
      readonly kind: 'needs_user';
      readonly reason: 'connection_required' | 'needs_reauth' | 'expired';
    }
  | {
      readonly kind: 'unavailable';
      readonly reason:
        | 'server_token_missing'
        | 'server_token_misfit'
        | 'oauth_not_configured'
        | 'client_rejected'
        | 'refresh_failed'
        | 'key_not_loaded'
        | 'decryption_failed';
    };

/** A credential that can leave Gatehouse: it lasts for at least a minute, as far as is known. */
export interface FreshCredential extends ReadyCredential {
  /** As it was entered; of an OAuth connection the access token alone. */
  readonly stored: StoredCredential;
}

/** The result of resolving a credential. */
export type CredentialOutcome = ReadyCredential | UnusableCredential;
