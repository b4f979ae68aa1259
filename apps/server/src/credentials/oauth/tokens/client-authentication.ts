import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'oauth4webapi';
import type { UpstreamClient } from '../upstream.ts';

/** An empty secret is never sent: strict servers refuse `client_secret=` from a public client. */
export function clientAuthentication({
  clientSecret,
  authMethod,
}: Pick<UpstreamClient, 'clientSecret' | 'authMethod'>): ClientAuth {
  if (!clientSecret || authMethod === 'none') return None();
  return authMethod === 'client_secret_post'
    ? ClientSecretPost(clientSecret)
    : ClientSecretBasic(clientSecret);
}
