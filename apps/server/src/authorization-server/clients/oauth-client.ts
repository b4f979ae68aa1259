import type { Application } from '../../generated/prisma/client.ts';

/** The properties of an application that the authorization server needs. */
export type ClientApplication = Pick<
  Application,
  | 'id'
  | 'organizationId'
  | 'ownerUserId'
  | 'name'
  | 'clientType'
  | 'redirectUris'
  | 'pkceRequired'
  | 'scopes'
  | 'allowedResources'
  | 'allowDynamicClients'
  | 'aggregateMode'
> & {
  /** SHA-256 of the client secret in base64; null without a secret. */
  readonly secretHash: string | null;
};

/**
 * An OAuth client (RFC 6749 section 2): an application, or a dynamic client, which brought its own
 * metadata and may use every application that allows such clients.
 */
export interface OauthClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Undefined for a dynamic client. */
  readonly application: ClientApplication | undefined;
}

/**
 * Finds a client of any kind.
 *
 * @param source the address block of the caller, which bounds what is fetched for it
 */
export type FindClient = (clientId: string, source: string) => Promise<OauthClient | undefined>;
