import type { OauthHttp } from '../http.ts';
import type { UnknownObject } from '../json-object.ts';
import { scopeListOf } from '../scope-list.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import { parseHttpUrl } from './endpoint.ts';
import { findDocument } from './find-document.ts';

/** The metadata of a protected resource (RFC 9728). */
export interface ResourceMetadata {
  /** Exactly as published: some authorization servers compare it by character. */
  readonly resource: string;
  /** Issuers. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[] | undefined;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Tries the location in the challenge, then the path of the URL, then the root (RFC 9728 section 3.1, and
 * MCP's order).
 *
 * @throws UpstreamOauthError
 */
export function findResourceMetadata(
  http: OauthHttp,
  url: string,
  challenged: string | undefined,
  signal: AbortSignal,
): Promise<ResourceMetadata | undefined> {
  const { origin, pathname } = new URL(url);
  const named = challenged === undefined ? undefined : parseHttpUrl(challenged)?.href;
  const locations = [
    ...(named === undefined ? [] : [named]),
    `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`,
    `${origin}${WELL_KNOWN}${pathname.replace(/\/$/, '')}`,
    `${origin}${WELL_KNOWN}`,
  ];
  return findDocument(http, locations, (document) => readMetadata(document, url), signal);
}

function readMetadata(document: UnknownObject, url: string): ResourceMetadata {
  const { resource, authorization_servers: servers = [], scopes_supported } = document;
  if (typeof resource !== 'string' || !Array.isArray(servers)) {
    throw new UpstreamOauthError('metadata_invalid');
  }
  if (!isPathPrefix(resource, url)) throw new UpstreamOauthError('resource_mismatch');
  const isUsable = (item: unknown): item is string => parseHttpUrl(item) !== undefined;
  const authorizationServers = servers.filter(isUsable);
  if (servers.length > 0 && authorizationServers.length === 0) {
    throw new UpstreamOauthError('metadata_invalid');
  }
  return { resource, authorizationServers, scopes: scopeListOf(scopes_supported) };
}

/** Whether a resource is the URL, or contains it: the same origin, and its path is where the URL's begins. */
function isPathPrefix(resource: string, url: string): boolean {
  const parsed = parseHttpUrl(resource);
  if (parsed === undefined) return false;
  const target = new URL(url);
  const isSameOrigin = parsed.origin === target.origin;
  const isSameQuery = parsed.search === '' || parsed.search === target.search;
  return isSameOrigin && isSameQuery && folder(target.pathname).startsWith(folder(parsed.pathname));
}

const folder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
