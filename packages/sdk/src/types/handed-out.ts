/**
 * A credential of a credential-only integration, as `POST …/credential` hands it out.
 */
export interface HandedOutCredential {
  /** The headers that send it. */
  headers: { name: string; value: string }[];
  /** The token, where one was entered or obtained. */
  token?: string;
  /** The fields, where fields were entered. */
  fields?: Record<string, string | number | boolean>;
  /** ISO 8601. When the upstream stops accepting it, if that is known. */
  expiresAt?: string;
}

/**
 * How long the holder may use a credential before asking again.
 */
export interface CredentialLease {
  /** UUID. The lease is among the sessions of the application under this id. */
  id: string;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * The response of `POST /applications/:id/integrations/:integrationId/credential`.
 */
export interface HandOutResponse {
  credential: HandedOutCredential;
  lease: CredentialLease;
}
