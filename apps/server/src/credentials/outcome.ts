import type { AuthMode, Category } from '../generated/prisma/enums.ts';

/** What resolving needs to know of an integration; the gateway keeps it in its route snapshot. */
export interface CredentialTarget {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly url: string;
  readonly category: Category;
  readonly authMode: AuthMode;
  readonly credentialSchema: unknown;
  readonly oauthIssuer: string | undefined;
  readonly oauthClientId: string | undefined;
}

/** Headers to send, exactly as given; names in lower case. */
export type CredentialHeaders = readonly (readonly [name: string, value: string])[];

/**
 * The outcome of resolving a credential. `needs_user`: the caller must connect (or connect again).
 * `unavailable`: an administrator must act (no server token, OAuth not configured, a key that does not open the row).
 */
export type CredentialOutcome = ReadyCredential | UnusableCredential;

/** A credential that can be sent. */
export interface ReadyCredential {
  readonly kind: 'ready';
  readonly headers: CredentialHeaders;
  readonly source: 'none' | 'server_token' | 'connection';
  /** The connection the headers came from, to mark it when the upstream refuses it. */
  readonly connectionId: string | undefined;
}

/** Why there is no credential to send. */
export type UnusableCredential =
  | {
      readonly kind: 'needs_user';
      readonly reason: 'connection_required' | 'needs_reauth' | 'expired';
    }
  | {
      readonly kind: 'unavailable';
      readonly reason:
        | 'server_token_missing'
        | 'oauth_not_configured'
        | 'oauth_not_supported'
        | 'decryption_failed';
    };

/** Resolves credentials for the gateway and for validate alike. */
export interface Credentials {
  /** Answers from memory when it may; `undefined` when a read is needed. */
  peek(target: CredentialTarget, userId: string): CredentialOutcome | undefined;
  resolve(target: CredentialTarget, userId: string): Promise<CredentialOutcome>;
  /** Writes behind: the upstream refused this connection's credential, or accepted it again. */
  reportRefused(connectionId: string): void;
  reportAccepted(connectionId: string): void;
  /** Writes what was reported so far now. Never rejects: what cannot be written is tried again. */
  flush(): Promise<void>;
}
