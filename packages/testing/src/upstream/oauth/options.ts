import type { TokenVerifier } from '../../identity-provider/identity-provider.ts';

/** A place of the metadata of a protected resource (RFC 9728): with the path of the endpoint, or without. */
export type ResourceMetadataPlace = 'path' | 'root';

/** How an upstream uses OAuth. */
export interface UpstreamOauthOptions {
  readonly provider: TokenVerifier;
  /** Named by the metadata; tokens with a `resource` must be for this one. Default: the URL of the endpoint. */
  readonly resource?: string;
  /** Where the metadata is found. Default: in both places. */
  readonly metadata?: readonly ResourceMetadataPlace[];
  /** What a challenge says beside the error. Default: both. */
  readonly challenge?: readonly ('resource_metadata' | 'scope')[];
  /**
   * Needed for every call, and named by challenges and metadata. Default: not needed, and `read` is
   * named.
   */
  readonly scopes?: readonly string[];
  /** Scopes that tools need besides. Default: `write_note` needs `write`. */
  readonly toolScopes?: Readonly<Record<string, string>>;
}

/** One message that came with a valid token. */
export interface UpstreamCall {
  /** The JSON-RPC method; undefined for requests without a message. */
  readonly method: string | undefined;
  /** The tool of `tools/call`. */
  readonly tool: string | undefined;
  /** The user of the token. */
  readonly sub: string;
  readonly clientId: string;
  /** SHA-256 of the token, in hex. */
  readonly tokenHash: string;
}
