import type { TokenEndpointAuthMethod } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import { type OauthConfig, oauthConfigOf } from '../oauth-config.ts';
import { presetOf } from './presets/find-preset.ts';
import type { Preset } from './presets/preset.ts';

/** An integration of mode `oauth`, as far as OAuth needs it. */
export interface OauthUpstream {
  readonly organizationId: string;
  readonly integrationId: string;
  /** Of the MCP server. */
  readonly url: string;
  readonly config: OauthConfig;
  readonly preset: Preset | undefined;
}

/** Gatehouse as a client of an authorization server. */
export interface UpstreamClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly authMethod: TokenEndpointAuthMethod;
  /** An admin entered it, it is our metadata document, or the server registered it. */
  readonly source: 'static' | 'metadata_document' | 'registered';
}

/** A token response, with nothing added from an earlier one. */
export interface TokenSet {
  /** A legal header value of at most 8 KiB. */
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Epoch milliseconds, of the access token. Absent: unknown. */
  readonly expiresAt?: number | undefined;
  /** Epoch milliseconds. */
  readonly refreshTokenExpiresAt?: number | undefined;
  /** The granted ones, if the server says so. */
  readonly scopes?: readonly string[] | undefined;
  /** As it came, unchecked. */
  readonly idToken?: string | undefined;
  /** Of the account, if the answer names it. */
  readonly displayName?: string | undefined;
}

/** The OAuth view of an integration. Without a configuration all its settings are undefined. */
export function oauthUpstreamOf(
  integration: Pick<Integration, 'organizationId' | 'id' | 'url' | 'oauth'>,
): OauthUpstream {
  const { organizationId, id, url } = integration;
  const config = oauthConfigOf(integration) ?? { scopes: [] };
  return { organizationId, integrationId: id, url, config, preset: presetOf(config.provider) };
}
