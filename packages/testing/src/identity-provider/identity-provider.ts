import type { ProviderClient, ProviderClientOptions } from './clients/client.ts';
import type { ActiveFault, FaultOptions, ProviderFault } from './faults/fault.ts';
import type { ProviderGrant } from './grants/grant.ts';
import type { ProviderEndpoint, ProviderRequest } from './http/provider-request.ts';
import type { ProviderSettings } from './settings.ts';

/** What a valid access token says. */
export interface VerifiedToken {
  /** The user; `bot` for the bot's token of the shape `slack`. */
  readonly sub: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Resource indicators that it was issued for (RFC 8707); may be empty. */
  readonly resources: readonly string[];
  readonly grantId: string;
  /** Milliseconds since 1970; `null` means never. */
  readonly expiresAt: number | null;
}

/** What a server of resources needs of its identity provider. */
export interface TokenVerifier {
  readonly issuer: string;
  /** What the access token says; undefined if it is unknown, expired, or of an ended grant. */
  verify(token: string): VerifiedToken | undefined;
}

/** How often things have happened, in all grants together. */
export interface ProviderCounts {
  readonly grants: number;
  readonly grantsEnded: number;
  readonly refreshes: number;
  readonly reusesDetected: number;
  readonly revocations: number;
}

/** For whom {@link IdentityProvider.issueTokens} issues tokens. */
export interface IssueOptions {
  /** Default: the first user. */
  readonly sub?: string;
  /** Default: the first client. */
  readonly clientId?: string;
  /** Default: all scopes. */
  readonly scopes?: readonly string[];
  readonly resources?: readonly string[];
}

/** A token set that was issued without a request. */
export interface IssuedByTest {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number | undefined;
  readonly grant: ProviderGrant;
}

/** What a person does on the consent page. */
export interface Decision {
  /** The user; default: the one that the page has selected first. */
  readonly sub?: string;
  /** Default `approve`. */
  readonly decision?: 'approve' | 'deny';
}

/** A running identity provider. */
export interface IdentityProvider extends TokenVerifier {
  /** Where it listens, `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** `url` with the path of the issuer. */
  readonly issuer: string;
  readonly settings: ProviderSettings;
  /** All clients, also those that have registered themselves. */
  readonly clients: readonly ProviderClient[];
  /** All grants, oldest first. */
  readonly grants: readonly ProviderGrant[];
  readonly counts: ProviderCounts;
  /** Changes settings from the next request on. */
  configure(settings: Partial<ProviderSettings>): void;
  addClient(client: ProviderClientOptions): void;
  /** From now on, the client is unknown: `invalid_client`. */
  forgetClient(clientId: string): void;
  /**
   * Opens an authorization URL and submits the consent page, as a person in a browser would.
   *
   * @returns where the person is sent to, with `code` or `error`
   * @throws Error if the provider shows an error page
   */
  approve(authorizationUrl: string | URL, decision?: Decision): Promise<URL>;
  /** Opens a grant and issues its tokens, without any request. */
  issueTokens(options?: IssueOptions): IssuedByTest;
  /** Ends the grant with this id, or all grants: their tokens are refused from now on. */
  endGrant(id?: string): void;
  /** Lets all access tokens expire now. Refresh tokens stay valid. */
  expireAccessTokens(): void;
  /** Lets something go wrong at an endpoint, after the faults that were set before. */
  fault(endpoint: ProviderEndpoint, fault: ProviderFault, options?: FaultOptions): ActiveFault;
  /** Clears the faults of an endpoint, or all. Requests that wait go on. */
  clearFaults(endpoint?: ProviderEndpoint): void;
  /** All requests, or those of one endpoint, in the order of arrival. */
  requests(endpoint?: ProviderEndpoint): readonly ProviderRequest[];
  /** Everything secret that was issued: codes, tokens and client secrets, to search for where they must not be. */
  issuedSecrets(): readonly string[];
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}
