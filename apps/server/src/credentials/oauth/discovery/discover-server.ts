import type { OauthHttp } from '../http.ts';
import type { UnknownObject } from '../json-object.ts';
import { defaultIssuerOf, isIssuerOf } from '../presets/find-preset.ts';
import type { Preset } from '../presets/preset.ts';
import type { OauthUpstream } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { parseHttpUrl } from './endpoint.ts';
import { findDocument } from './find-document.ts';
import { requestChallenge } from './request-challenge.ts';
import { findResourceMetadata, type ResourceMetadata } from './resource-metadata.ts';
import {
  findServerMetadata,
  isPublishedAs,
  readServerMetadata,
  serverMetadataUrls,
} from './server-metadata.ts';
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

/**
 * MCP 2025-03-26, where a resource does not publish metadata: the authorization server is at the origin
 * of the URL. If metadata there names another issuer, that issuer's own metadata decides. An issuer at
 * the same origin needs no metadata: only that origin speaks for it, and old servers name an issuer
 * below the path where they publish.
 *
 * @param hasDefaults whether `/authorize`, `/token` and `/register` may be assumed without metadata
 * @throws UpstreamOauthError
 */
async function findServerAtOrigin(
  http: OauthHttp,
  url: string,
  hasDefaults: boolean,
  signal: AbortSignal,
): Promise<ServerDescription | undefined> {
  const { origin } = new URL(url);
  const published = await findDocument(http, serverMetadataUrls(origin), readPublished, signal);
  if (published !== undefined) {
    const { issuer, document } = published;
    const description = await findServerMetadata(http, issuer, signal);
    const isOwn = new URL(issuer).origin === origin;
    return description ?? (isOwn ? readServerMetadata(document, issuer) : undefined);
  }
  if (!hasDefaults) return undefined;
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    codeChallengeMethods: ['S256'],
    supportsClientIdMetadata: false,
    sendsIss: false,
    isAssumed: true,
  };
}

interface Published {
  readonly issuer: string;
  readonly document: UnknownObject;
}

function readPublished(document: UnknownObject): Published {
  const { issuer } = document;
  if (typeof issuer !== 'string' || parseHttpUrl(issuer) === undefined) {
    throw new UpstreamOauthError('metadata_invalid');
  }
  return { issuer, document };
}
