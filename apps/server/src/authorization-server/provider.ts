import { generateKeyPairSync } from 'node:crypto';
import { secretPrefixes } from '@gatehouse/contract';
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Logger } from 'pino';
import type { Store } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import type { Applications } from './applications.ts';
import { adaptClients, CLIENT, clientMetadataOf, oauthClientOf } from './client-metadata.ts';
import { createGrantAdapter } from './grant-adapter.ts';
import { metadataOf } from './metadata.ts';
import type { OauthClient } from './oauth-client.ts';
import { normalizeParameters } from './parameters.ts';
import { ACCESS_TOKEN_TTL, resourceServerOf } from './resources.ts';
import { createStateAdapter } from './state-adapter.ts';
import { createTokenAdapter } from './token-adapter.ts';
import { commitTokenRequest, REFRESH_TOKEN_TTL } from './token-writes.ts';
import { unused } from './unused-adapter.ts';

/** Seconds that a code lasts. */
const CODE_TTL = 60;

/** Seconds that a person has for signing in and agreeing. */
const INTERACTION_TTL = 60 * 60;

const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
} as const;

export interface ProviderDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly applications: Applications;
  /** Finds a client of any kind. */
  readonly findClient: (clientId: string) => Promise<OauthClient | undefined>;
  /** Our origin, which is the issuer. */
  readonly publicUrl: string;
  readonly log: Logger;
  /** Shows an error of the authorization endpoint that must not be sent to a redirect URI. */
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** The protocol of the authorization server: oidc-provider, restricted to OAuth. */
export function createProvider(deps: ProviderDeps): Provider {
  const { publicUrl, log } = deps;
  const provider = new Provider(publicUrl, configurationOf(deps));
  // It then takes scheme and host from the forwarded headers, which the router sets to our own.
  provider.proxy = true;
  adaptClients(provider);
  prefixTokens(provider);
  provider.use(async (ctx, next) => {
    await next();
    await finish(deps, ctx as KoaContextWithOIDC);
  });
  // To whom it leads, nobody has verified: only what a person decides goes back to a dynamic client.
  provider.on('authorization.error', ({ oidc }, error) => {
    const isDynamic = oidc.client !== undefined && !oauthClientOf(oidc.client).application;
    if (isDynamic && oidc.route !== 'resume') Object.assign(error, { allow_redirect: false });
  });
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'authorization failed'));
  return provider;
}

function configurationOf(deps: ProviderDeps): Configuration {
  const { store, applications, publicUrl } = deps;
  return {
    adapter: (model) => adapterOf(deps, model),
    routes,
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    extraClientMetadata: { properties: [CLIENT] },
    responseTypes: ['code'],
    // It would fill in the address that stands for all of ours.
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [],
    claims: {},
    cookies: {
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth', secure: isHttps(publicUrl) },
      short: { httpOnly: true, sameSite: 'lax', secure: isHttps(publicUrl) },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL,
      AuthorizationCode: CODE_TTL,
      ClientCredentials: ACCESS_TOKEN_TTL,
      Grant: REFRESH_TOKEN_TTL,
      Interaction: INTERACTION_TTL,
      RefreshToken: REFRESH_TOKEN_TTL,
      Session: INTERACTION_TTL,
    },
    formats: { bitsOfOpaqueRandomness: 256 },
    pkce: {
      required: (_ctx, client) => {
        const { application } = oauthClientOf(client);
        return application?.clientType !== 'confidential' || application.pkceRequired;
      },
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, granted) => firstOf(granted),
        getResourceServerInfo: (ctx, uri, client) =>
          resourceServerOf(
            { db: store.db, applications, publicUrl },
            ctx,
            uri,
            oauthClientOf(client),
          ),
        useGrantedResource: () => true,
      },
    },
    interactions: {
      policy: interactionPolicies(),
      url: (_ctx, { uid }) => `/oauth/consent/${uid}`,
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: ({ oidc }) => oidc.client?.clientAuthMethod === 'none',
    // Sign-out ends what a person does in the browser, not what clients do for the person.
    expiresWithSession: () => false,
    clientBasedCORS: () => true,
    renderError: deps.renderError,
  };

  function adapterOf({ store: { db } }: ProviderDeps, model: string): Adapter {
    switch (model) {
      case 'AuthorizationCode':
        return createTokenAdapter(store, 'code');
      case 'AccessToken':
      case 'ClientCredentials':
        return createTokenAdapter(store, 'access');
      case 'RefreshToken':
        return createTokenAdapter(store, 'refresh');
      case 'Grant':
        return createGrantAdapter(store);
      case 'Interaction':
        return createStateAdapter(db, (id) => `${publicUrl}${routes.authorization}/${id}`);
      case 'Client':
        return { ...unused, find: findClient };
      default:
        // Among them Session: who signs in is asked at every request, of the browser session.
        return unused;
    }
  }

  async function findClient(clientId: string) {
    const client = await deps.findClient(clientId);
    if (client === undefined) return undefined;
    const { ctx } = Provider;
    if (ctx !== undefined) normalizeParameters(ctx, client, publicUrl);
    return clientMetadataOf(client);
  }
}

/** Every authorization is decided on the consent page, even if that need not ask again. */
function interactionPolicies() {
  const { Check, Prompt } = interactionPolicy;
  const isUndecided = new Check('undecided', 'the person has not agreed yet', ({ oidc }) =>
    oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, isUndecided),
  ];
}

/** Finishes a request that oidc-provider has answered, before its response is sent. */
async function finish(
  { store, vault, publicUrl, applications }: ProviderDeps,
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const isSuccess = ctx.status === 200;
  if (ctx.path === routes.token && isSuccess) {
    try {
      ctx.body = await commitTokenRequest(store, vault, ctx);
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error;
      ctx.status = error.statusCode;
      ctx.body = { error: error.error, error_description: error.error_description };
    }
  }
  if (ctx.path.startsWith('/.well-known/') && isSuccess) {
    ctx.body = metadataOf(publicUrl, await applications.allowDynamicClients());
  }
  dropSessionCookie(ctx);
}

/** oidc-provider's own session is not stored, so its cookie means nothing. */
function dropSessionCookie({ res }: KoaContextWithOIDC): void {
  const cookies = res.getHeader('Set-Cookie');
  if (!Array.isArray(cookies)) return;
  const kept = cookies.filter((cookie) => !cookie.startsWith('_session='));
  if (kept.length > 0) res.setHeader('Set-Cookie', kept);
  else res.removeHeader('Set-Cookie');
}

/** Puts a prefix before the 256 random bits of a token, by which secret scanners know each kind. */
function prefixTokens(provider: Provider): void {
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

/** oidc-provider wants a signing key, though nothing that we issue is signed. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}

function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

function firstOf(granted: readonly string[] | string | undefined): string | string[] {
  const [first] = typeof granted === 'string' ? [granted] : (granted ?? []);
  return first ?? [];
}
