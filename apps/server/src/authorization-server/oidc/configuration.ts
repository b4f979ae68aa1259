import { generateKeyPairSync } from 'node:crypto';
import type { Configuration } from 'oidc-provider';
import type { Applications } from '../clients/applications.ts';
import { CLIENT, oauthClientOf } from '../clients/oidc-client.ts';
import { interactionPolicy } from '../oidc-provider.ts';
import { ACCESS_TOKEN_TTL, resourceServerOf } from '../resources.ts';
import { REFRESH_TOKEN_TTL } from '../tokens/token-writes.ts';
import { type AdapterDeps, createAdapters } from './adapters.ts';

/** Seconds that a code lasts. */
const CODE_TTL = 60;

/** Seconds that a person has for signing in and agreeing. */
const INTERACTION_TTL = 60 * 60;

/** Paths of the endpoints. */
export const endpoints = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
} as const;

export interface ConfigurationDeps extends AdapterDeps {
  readonly applications: Applications;
  /** Shows an error of the authorization endpoint that must not be sent to a redirect URI. */
  readonly renderError: NonNullable<Configuration['renderError']>;
}

/** oidc-provider, restricted to OAuth and to the rules of applications. */
export function configurationOf(deps: ConfigurationDeps): Configuration {
  const { store, applications, publicUrl } = deps;
  const secure = publicUrl.startsWith('https:');
  return {
    adapter: createAdapters(deps, (id) => `${publicUrl}${endpoints.authorization}/${id}`),
    routes: endpoints,
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    extraClientMetadata: { properties: [CLIENT] },
    responseTypes: ['code'],
    // It would fill in our placeholder address.
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [],
    claims: {},
    cookies: {
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth', secure },
      short: { httpOnly: true, sameSite: 'lax', secure },
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

/** oidc-provider wants a signing key, though nothing that we issue is signed. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}

function firstOf(granted: readonly string[] | string | undefined): string | string[] {
  const [first] = typeof granted === 'string' ? [granted] : (granted ?? []);
  return first ?? [];
}
