import type { KoaContextWithOIDC, Provider as OidcProvider } from 'oidc-provider';
import type { Logger } from 'pino';
import { adaptClients, oauthClientOf } from '../clients/client-metadata.ts';
import { Provider } from '../oidc-provider.ts';
import { answerUnavailable } from './answer-unavailable.ts';
import { type ConfigurationDeps, configurationOf } from './configuration.ts';
import { type FinishDeps, finishRequest } from './finish-request.ts';
import { prefixTokens } from './token-prefixes.ts';

export interface ProviderDeps extends ConfigurationDeps, FinishDeps {
  readonly applications: ConfigurationDeps['applications'];
  readonly log: Logger;
}

/** The protocol of the authorization server: oidc-provider, restricted to OAuth. */
export function createProvider(deps: ProviderDeps): OidcProvider {
  const { publicUrl, log } = deps;
  const provider = new Provider(publicUrl, configurationOf(deps));
  // It then takes scheme and host from the forwarded headers, which the router sets to our own.
  provider.proxy = true;
  adaptClients(provider);
  prefixTokens(provider);
  provider.use(async (ctx, next) => {
    await next();
    await finishRequest(deps, ctx as KoaContextWithOIDC);
  });
  // To whom it leads, nobody has verified: only what a person decides goes back to a dynamic client.
  provider.on('authorization.error', ({ oidc }, error) => {
    const isDynamic = oidc.client !== undefined && !oauthClientOf(oidc.client).application;
    if (isDynamic && oidc.route !== 'resume') Object.assign(error, { allow_redirect: false });
  });
  provider.on('server_error', (ctx, error) => {
    if (!answerUnavailable(ctx, error)) log.error({ err: error }, 'authorization failed');
  });
  // Koa's own writes to standard error.
  Object.assign(provider, {
    onerror: (error: unknown) => log.error({ err: error }, 'authorization failed'),
  });
  return provider;
}
