import type { OauthUpstream } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';
import type { ServerDescription } from './upstream-server.ts';

/**
 * MCP forbids to go on with a server whose metadata does not list S256. We always send S256 and ignore
 * a list that is absent in two cases: the table of providers knows better, or an admin entered the
 * issuer together with a client that the provider issued. Then it is no unknown server, and common
 * providers (Entra ID) support S256 without listing it.
 *
 * @throws UpstreamOauthError `pkce_not_supported`
 */
export function checkPkce(
  { codeChallengeMethods: methods }: ServerDescription,
  { config, preset }: OauthUpstream,
): void {
  if (methods?.includes('S256') || preset?.pkce !== undefined) return;
  const isEntered = config.issuer !== undefined && config.clientId !== undefined;
  if (methods !== undefined || !isEntered) throw new UpstreamOauthError('pkce_not_supported');
}
