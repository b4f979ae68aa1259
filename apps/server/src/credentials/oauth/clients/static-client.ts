import type { TokenEndpointAuthMethod } from '@gatehouse/contract';
import type { UpstreamServer } from '../discovery/upstream-server.ts';
import type { OauthUpstream, UpstreamClient } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';

/**
 * The client that an admin entered.
 *
 * @throws UpstreamOauthError `no_client` without a client id
 */
export function staticClient(
  server: Pick<UpstreamServer, 'tokenEndpointAuthMethods'>,
  upstream: Pick<OauthUpstream, 'config' | 'preset'>,
  clientSecret: string | undefined,
): UpstreamClient {
  const { clientId } = upstream.config;
  if (clientId === undefined) throw new UpstreamOauthError('no_client');
  const authMethod = clientSecret ? methodOf(server, upstream) : 'none';
  return { clientId, clientSecret: clientSecret || undefined, authMethod, source: 'static' };
}

/** RFC 8414 section 2: without a list, a server takes HTTP Basic. */
function methodOf(
  { tokenEndpointAuthMethods: methods }: Pick<UpstreamServer, 'tokenEndpointAuthMethods'>,
  { config, preset }: Pick<OauthUpstream, 'config' | 'preset'>,
): TokenEndpointAuthMethod {
  const chosen = config.tokenEndpointAuthMethod ?? preset?.authMethod;
  if (chosen !== undefined) return chosen;
  const hasBasic = methods === undefined || methods.includes('client_secret_basic');
  return !hasBasic && methods.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic';
}
