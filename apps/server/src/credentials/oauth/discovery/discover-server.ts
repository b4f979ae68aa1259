import type { OauthHttp } from '../http.ts';
import { defaultIssuerOf } from '../presets/find-preset.ts';
import type { OauthUpstream } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { checkPkce } from './check-pkce.ts';
import { describedByPreset } from './described-by-preset.ts';
import { requestChallenge } from './request-challenge.ts';
import { findResourceMetadata, type ResourceMetadata } from './resource-metadata.ts';
import { findServerAtOrigin } from './server-at-origin.ts';
import { findServerMetadata, isSameIssuer } from './server-metadata.ts';
import type { UpstreamServer } from './upstream-server.ts';

/**
 * Finds the authorization server of an integration: the configured issuer, else the first that the
 * resource's metadata names, else that of the provider, else by the rules of MCP 2025-03-26. A
 * configured issuer must be among those that the metadata names, if it names any.
 *
 * @throws UpstreamOauthError
 */
export async function discoverServer(
  http: OauthHttp,
  upstream: OauthUpstream,
  signal: AbortSignal,
): Promise<UpstreamServer> {
  const { url, preset } = upstream;
  const refusal = await requestChallenge(http, url, signal);
  const metadata = await findResourceMetadata(http, url, refusal.resourceMetadata, signal);
  const issuer = chooseIssuer(upstream, metadata);
  const description =
    issuer === undefined
      ? await findServerAtOrigin(http, url, refusal.isUnauthorized, signal)
      : (describedByPreset(preset, issuer) ?? (await findServerMetadata(http, issuer, signal)));
  if (description === undefined) throw new UpstreamOauthError('metadata_not_found');
  checkPkce(description, upstream);
  return {
    ...description,
    resource: resourceOf(upstream, metadata),
    resourceScopes: refusal.scopes ?? metadata?.scopes,
  };
}

function chooseIssuer(
  { config, preset }: OauthUpstream,
  metadata: ResourceMetadata | undefined,
): string | undefined {
  const named = metadata?.authorizationServers ?? [];
  const { issuer } = config;
  if (issuer === undefined) return named[0] ?? defaultIssuerOf(preset);
  const isNamed = named.some((name) => isSameIssuer(name, issuer) || isSameIssuer(issuer, name));
  if (named.length > 0 && !isNamed) throw new UpstreamOauthError('issuer_mismatch');
  return issuer;
}

/** MCP: without metadata, the URL itself, which has no query here because that may hold a secret. */
function resourceOf(
  { url, config, preset }: OauthUpstream,
  metadata: ResourceMetadata | undefined,
): string | undefined {
  if (config.resource !== undefined) return config.resource || undefined;
  if (preset?.resource === 'never') return undefined;
  if (metadata !== undefined || preset?.resource === 'published') return metadata?.resource;
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}
