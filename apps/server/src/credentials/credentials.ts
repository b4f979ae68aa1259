import type { CredentialOutcome, ReadyCredential } from './outcome.ts';
import type { CredentialTarget } from './target.ts';

/** Resolves credentials, for calls through the gateway and for validate. */
export interface Credentials {
  /** The cached outcome; `undefined` when the database must be read. */
  peek(target: CredentialTarget, userId: string): CredentialOutcome | undefined;
  resolve(target: CredentialTarget, userId: string): Promise<CredentialOutcome>;
  /**
   * After the upstream has rejected a credential: another one that is worth a try, or why there is none
   * now; `undefined` if the rejected one is all there is.
   */
  renew(
    target: CredentialTarget,
    userId: string,
    rejected: ReadyCredential,
  ): Promise<CredentialOutcome | undefined>;
  /**
   * The upstream wants scopes of a person's grant that it may not have.
   *
   * @returns whether the person can give them by connecting again
   */
  wantScopes(target: CredentialTarget, userId: string, scopes: readonly string[]): Promise<boolean>;
  /** The upstream rejected this connection's credential. Written later, in a batch. */
  reportRejected(connectionId: string): void;
  /** The upstream accepted it. Clears a recorded rejection later, in a batch; otherwise does nothing. */
  reportAccepted(connectionId: string): void;
  /** Writes pending reports now. Never rejects: a failed write is retried. */
  flush(): Promise<void>;
}
