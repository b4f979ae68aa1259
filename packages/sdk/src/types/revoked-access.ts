/**
 * What has ended, by kind. Only what still worked is counted.
 */
export interface RevokedAccess {
  /** Access and refresh tokens; of a member also personal access tokens and invitations. */
  tokens: number;
  grants: number;
  /** Remembered consents. */
  consents: number;
  /** Open sessions. */
  sessions: number;
  /** Leases of credentials that were handed out and still lasted. */
  leases: number;
  /** Of these sessions, those with a stream or a request in progress. */
  streams: number;
}

/**
 * The receipt of `applications.revokeAccess` and `members.revokeAccess`.
 */
export interface RevokeAccessResponse {
  revoked: RevokedAccess;
}
