import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthUpstream } from '../upstream.ts';

/** OpenID Connect Core 1.0 section 11: asks for a refresh token. */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * The configured scopes, else the resource's, plus what the provider needs, and `offline_access` where
 * it is listed. If there are no others, it is omitted too: the server then chooses, and one scope would
 * be less than its choice.
 */
export function scopesToRequest(
  server: UpstreamServer,
  { config, preset }: Pick<OauthUpstream, 'config' | 'preset'>,
): readonly string[] {
  const wanted = config.scopes.length > 0 ? config.scopes : (server.resourceScopes ?? []);
  const offline = wanted.length > 0 && listsOfflineAccess(server) ? [OFFLINE_ACCESS] : [];
  return [...new Set([...wanted, ...(preset?.requiredScopes ?? []), ...offline])];
}

/** Whether the server or the resource lists `offline_access`. */
export function listsOfflineAccess({ scopesSupported, resourceScopes }: UpstreamServer): boolean {
  return [scopesSupported, resourceScopes].some((scopes) => scopes?.includes(OFFLINE_ACCESS));
}
