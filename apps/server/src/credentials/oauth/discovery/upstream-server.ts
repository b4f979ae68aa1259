/** The authorization server of an integration, and the demands of its resource. */
export interface UpstreamServer {
  /** As the server spells it. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly registrationEndpoint?: string | undefined;
  readonly userinfoEndpoint?: string | undefined;
  /** Where its keys are published, unchecked: an address that cannot be used must not count as absent. */
  readonly jwksUri?: string | undefined;
  readonly idTokenAlgorithms?: readonly string[] | undefined;
  /** Whether our client may be our metadata document. */
  readonly supportsClientIdMetadata: boolean;
  /** Whether it promises `iss` in its authorization responses (RFC 9207). */
  readonly sendsIss: boolean;
  readonly codeChallengeMethods?: readonly string[] | undefined;
  readonly tokenEndpointAuthMethods?: readonly string[] | undefined;
  readonly revocationEndpointAuthMethods?: readonly string[] | undefined;
  readonly scopesSupported?: readonly string[] | undefined;
  /** Nothing describes it: its endpoints are the default ones of MCP 2025-03-26. */
  readonly isAssumed?: boolean;
  /** The value of `resource` (RFC 8707), exactly as published. Undefined: it is not sent. */
  readonly resource: string | undefined;
  /** The scopes of the resource's challenge, else of its metadata. */
  readonly resourceScopes?: readonly string[] | undefined;
}

/** The authorization server alone, without the resource. */
export type ServerDescription = Omit<UpstreamServer, 'resource' | 'resourceScopes'>;
