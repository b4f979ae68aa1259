import type { OauthHttp } from '../http.ts';
import { defaultIssuerOf, isIssuerOf } from '../presets/find-preset.ts';
import type { Preset } from '../presets/preset.ts';
import type { OauthUpstream } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { requestChallenge } from './request-challenge.ts';
import { findResourceMetadata, type ResourceMetadata } from './resource-metadata.ts';
import { findServerAtOrigin } from './server-at-origin.ts';
import { findServerMetadata, isPublishedAs } from './server-metadata.ts';
import type { ServerDescription, UpstreamServer } from './upstream-server.ts';

/**
 * Finds the authorization server of an integration: the configured issuer, else the first in the
 * resource's metadata, else the provider's, else by the rules of MCP 2025-03-26. If the metadata names
 * issuers, a configured one must be among them.
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
  const isNamed = named.some((name) => isPublishedAs(name, issuer) || isPublishedAs(issuer, name));
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

/**
 * MCP forbids continuing if a server's metadata does not list S256. We always send S256 and accept a
 * missing list in two cases: the table of providers knows better, or an admin entered the issuer
 * together with a client that the provider issued. Such a server is not unknown, and common providers
 * (Entra ID) support S256 without listing it.
 *
 * @throws UpstreamOauthError `pkce_not_supported`
 */
function checkPkce(
  { codeChallengeMethods: methods }: ServerDescription,
  { config, preset }: OauthUpstream,
): void {
  if (methods?.includes('S256') || preset?.pkce !== undefined) return;
  const isEntered = config.issuer !== undefined && config.clientId !== undefined;
  if (methods !== undefined || !isEntered) throw new UpstreamOauthError('pkce_not_supported');
}

/** The preset's endpoints of an issuer; undefined if the issuer's metadata decides. */
function describedByPreset(
  preset: Preset | undefined,
  issuer: string,
): ServerDescription | undefined {
  const endpoints = preset?.endpoints;
  const known = [issuer.replace(/\/$/, ''), issuer].find((name) => isIssuerOf(preset, name));
  if (endpoints === undefined || known === undefined) return undefined;
  const urlOf = (endpoint: string | undefined) =>
    endpoint === undefined ? undefined : new URL(endpoint, issuer).href;
  const { authorization, token, revocation, userinfo } = endpoints;
  return {
    issuer: known,
    authorizationEndpoint: new URL(authorization, issuer).href,
    tokenEndpoint: new URL(token, issuer).href,
    revocationEndpoint: urlOf(revocation),
    userinfoEndpoint: urlOf(userinfo),
    supportsClientIdMetadata: false,
    sendsIss: false,
  };
}
