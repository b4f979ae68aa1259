import type { AuthMode, ValidateIntegrationResponse } from './integration.ts';
import type { Open } from './open.ts';

/**
 * How a program becomes a client of an authorization server: it was made there by hand, a document at
 * a URL describes it, or it registers itself.
 */
export type ClientRegistration = 'static' | 'metadata_document' | 'dynamic';

/**
 * What is known about an endpoint that nobody has registered yet.
 */
export interface Discovery {
  /** What the server calls itself. */
  name: string | null;
  /** `modern`: MCP 2026-07-28 and later. Null when it speaks no MCP. */
  era: Open<'modern' | 'legacy'> | null;
  /** What the server asks for; `unknown` when it was not reached. */
  authentication: Open<'none' | 'bearer' | 'oauth' | 'unknown'>;
  /** The OAuth provider, if it is a known one. */
  provider: string | null;
  issuer: string | null;
  scopes: string[];
  /** The ways to get an OAuth client there, the best one first. */
  registration: Open<ClientRegistration>[];
}

/**
 * A body for `integrations.create`.
 */
export interface SuggestedIntegration {
  name: string;
  url: string;
  authMode: AuthMode;
  oauth?: { provider?: string; issuer?: string; scopes?: string[] };
}

/**
 * Body of `POST /integrations/discover`.
 */
export interface DiscoverIntegrationBody {
  /** http(s), without userinfo and fragment. */
  readonly url: string;
}

/**
 * What was found out about a URL.
 */
export interface DiscoverIntegrationResponse extends ValidateIntegrationResponse {
  discovery: Discovery;
  /** Null when no MCP server was found. */
  integration: SuggestedIntegration | null;
}
