import type { AuthMode, Category } from '../generated/prisma/enums.ts';

/** The properties of an integration that credentials depend on. The gateway caches them with the route. */
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

/** Headers to send unchanged. Names are in lower case. */
export type CredentialHeaders = readonly (readonly [name: string, value: string])[];

/** The credential to send, or no headers if none is needed. */
export interface ReadyCredential {
  readonly kind: 'ready';
  readonly headers: CredentialHeaders;
  readonly source: 'none' | 'server_token' | 'connection';
  /** The connection that the headers come from, to mark it when the upstream rejects them. */
  readonly connectionId: string | undefined;
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
        | 'oauth_not_configured'
        | 'oauth_not_supported'
        | 'decryption_failed';
    };

/** The result of resolving a credential. */
export type CredentialOutcome = ReadyCredential | UnusableCredential;

/** Resolves credentials, for calls through the gateway and for validate. */
export interface Credentials {
  /** The cached outcome; `undefined` when the database must be read. */
  peek(target: CredentialTarget, userId: string): CredentialOutcome | undefined;
  resolve(target: CredentialTarget, userId: string): Promise<CredentialOutcome>;
  /** The upstream rejected this connection's credential. Written later, in a batch. */
  reportRefused(connectionId: string): void;
  /** The upstream accepted it again. Written later, in a batch. */
  reportAccepted(connectionId: string): void;
  /** Writes pending reports now. Never rejects: a failed write is retried. */
  flush(): Promise<void>;
}
