import { secretPrefixes } from '@gatehouse/contract';
import type { KoaContextWithOIDC, Provider as OidcProvider } from 'oidc-provider';
import type { Logger } from 'pino';
import { adaptClients, oauthClientOf } from '../clients/oidc-client.ts';
import { EXCHANGE_PARAMETERS, REPEATABLE } from '../exchange/exchange-parameters.ts';
import { type ExchangeDeps, exchangeToken } from '../exchange/exchange-token.ts';
import { Provider } from '../oidc-provider.ts';
import { TOKEN_EXCHANGE } from '../scopes.ts';
import { type ConfigurationDeps, configurationOf } from './configuration.ts';
import { answerTemporary, type FinishDeps, finishRequest, refuse } from './finish-request.ts';

export interface ProviderDeps extends ConfigurationDeps, FinishDeps, ExchangeDeps {
  readonly store: FinishDeps['store'];
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
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (ctx) => {
      try {
        ctx.body = await exchangeToken(deps, ctx);
      } catch (error) {
        refuse(ctx, error);
      }
    },
    EXCHANGE_PARAMETERS,
    REPEATABLE,
  );
  provider.use(async (ctx, next) => {
    await next();
    const finished = ctx as KoaContextWithOIDC;
    await finishRequest(deps, finished).catch((error) => refuse(finished, error));
  });
  // A dynamic client's redirect URI is unverified: redirect to it only with the user's decision, never
  // with an error.
  provider.on('authorization.error', ({ oidc }, error) => {
    const isDynamic = oidc.client !== undefined && !oauthClientOf(oidc.client).application;
    if (isDynamic && oidc.route !== 'resume') Object.assign(error, { allow_redirect: false });
  });
  provider.on('server_error', (ctx, error) => {
    if (!answerTemporary(ctx, error)) log.error({ err: error }, 'authorization failed');
  });
  // Koa's own writes to standard error.
  Object.assign(provider, {
    onerror: (error: unknown) => log.error({ err: error }, 'authorization failed'),
  });
  return provider;
}

/** Puts a prefix before the 256 random bits of a token, by which secret scanners know each kind. */
function prefixTokens(provider: OidcProvider): void {
  const prefixes = [
    [provider.AccessToken, secretPrefixes.accessToken],
    [provider.ClientCredentials, secretPrefixes.accessToken],
    [provider.RefreshToken, secretPrefixes.refreshToken],
    [provider.AuthorizationCode, secretPrefixes.authorizationCode],
  ] as const;
  for (const [{ prototype }, prefix] of prefixes) {
    const { generateTokenId } = prototype as unknown as { generateTokenId(): string };
    Object.assign(prototype, {
      generateTokenId(this: unknown) {
        return prefix + generateTokenId.call(this);
      },
    });
  }
}
