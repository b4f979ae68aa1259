import type { ResourceMetadataPlace, UpstreamOauthOptions } from './options.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The path that a challenge names: the first place where the metadata is served. */
export function metadataPath(
  places: readonly ResourceMetadataPlace[] = ['path', 'root'],
  url: string,
): string | undefined {
  const [place] = places;
  return place && pathOf(place, url);
}

/** The metadata of the protected resource (RFC 9728, section 2), if it is served at this path. */
export function resourceMetadata(
  path: string,
  { provider, metadata: places = ['path', 'root'] }: UpstreamOauthOptions,
  { url, resource, scopes }: { url: string; resource: string; scopes: readonly string[] },
): object | undefined {
  if (!places.some((place) => pathOf(place, url) === path)) return undefined;
  return {
    resource,
    authorization_servers: [provider.issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}

function pathOf(place: ResourceMetadataPlace, url: string): string {
  return place === 'root' ? WELL_KNOWN : `${WELL_KNOWN}${new URL(url).pathname}`;
}
