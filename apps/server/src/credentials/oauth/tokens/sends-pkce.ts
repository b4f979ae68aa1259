import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthUpstream } from '../upstream.ts';

/** PKCE is used unless the provider is known to stumble over it and its metadata does not list S256. */
export function sendsPkce(
  { codeChallengeMethods }: Pick<UpstreamServer, 'codeChallengeMethods'>,
  { preset }: Pick<OauthUpstream, 'preset'>,
): boolean {
  return preset?.pkce !== 'off' || (codeChallengeMethods?.includes('S256') ?? false);
}
