import * as client from 'openid-client';
import type { Egress } from '../../egress/egress.ts';
import { fetchThroughEgress } from '../../egress/fetch-through-egress.ts';
import { oauthSender } from '../../egress/sender.ts';
import { limitPerMinute } from '../../http/rate-limit.ts';
import { CLOCK_TOLERANCE, checkIssuedAt } from '../../platform/id-tokens.ts';
import type { AttemptSecrets } from '../../platform/secrets.ts';

/** The OpenID Connect provider with which people may sign in. */
export interface ExternalSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In lower case. Anyone with a verified email of such a domain becomes a member. */
  readonly allowedDomains: readonly string[];
  /** Undefined where roles are only set in Gatehouse. */
  readonly roleClaim: string | undefined;
  /** Undefined where the members of every group are chosen in Gatehouse. */
  readonly groupsClaim: string | undefined;
}

/** The claims of a provider about a person (OpenID Connect Core 1.0, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** The secrets of one attempt to sign in. */
export interface SignInSecrets extends AttemptSecrets {
  readonly nonce: string;
}

/** An OpenID Connect provider, as its client. Its errors are those of openid-client, `IssuerDiffers` and `IssuedInFuture`. */
export interface ExternalProvider {
  /** Where a browser goes to sign in. */
  authorizationUrl(attempt: SignInSecrets): Promise<URL>;
  /** Redeems the code with which a browser came back. @param url where it came back to */
  claimsOf(url: URL, attempt: SignInSecrets): Promise<Claims>;
}

/** Seconds for one request. */
const TIMEOUT = 8;

const LIMITS = {
  sender: oauthSender('', 'external-sign-in'),
  maxBytes: 512 * 1024,
  timeout: TIMEOUT * 1000,
} as const;

/** How often the provider's metadata may be asked for in a minute: a failure is not cached. */
const DISCOVERIES = 30;

/** Milliseconds that the provider's metadata is used. */
const METADATA_AGE = 60 * 60 * 1000;

/** @param redirectUri of ours */
export function createExternalProvider(
  settings: ExternalSettings,
  egress: Pick<Egress, 'request'>,
  redirectUri: string,
): ExternalProvider {
  let discovered:
    | { readonly config: Promise<client.Configuration>; readonly at: number }
    | undefined;

  const countDiscovery = limitPerMinute(DISCOVERIES);

  /** Concurrent requests share one fetch. */
  const configure = (): Promise<client.Configuration> => {
    if (discovered !== undefined && Date.now() - discovered.at < METADATA_AGE) {
      return discovered.config;
    }
    const config = countDiscovery('').then(() => discover(settings, egress));
    const started = { config, at: Date.now() };
    discovered = started;
    started.config.catch(() => {
      if (discovered === started) discovered = undefined;
    });
    return started.config;
  };

  return {
    async authorizationUrl({ state, nonce, codeChallenge }) {
      return client.buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      });
    },
    async claimsOf(url, { state, nonce, codeVerifier }) {
      const config = await configure();
      const tokens = await client.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new TypeError('The provider sent no ID token.');
      checkIssuedAt(claims.iat);
      if (claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined) {
        return claims;
      }
      // OpenID Connect Core 1.0 section 5.4: the provider decides where the claims of a scope are.
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return { ...more, ...claims, email: more.email, email_verified: more.email_verified };
    },
  };
}

/** The provider's metadata names another issuer than the settings. */
export class IssuerDiffers extends Error {
  override readonly name = 'IssuerDiffers';
  readonly code = 'ISSUER_DIFFERS';
}

/**
 * openid-client accepts any issuer in the metadata of Entra ID and Azure AD B2C, even the one for all
 * tenants, so it is compared here.
 */
async function discover(settings: ExternalSettings, egress: Pick<Egress, 'request'>) {
  const config = await requestConfiguration(settings, egress);
  const { issuer } = config.serverMetadata();
  if (URL.canParse(issuer) && new URL(issuer).href === new URL(settings.issuer).href) return config;
  throw new IssuerDiffers('The provider has another issuer than the settings name.');
}

function requestConfiguration(
  { issuer, clientId, clientSecret }: ExternalSettings,
  egress: Pick<Egress, 'request'>,
): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE },
    authenticateBy(clientSecret),
    {
      [client.customFetch]: fetchThroughEgress(egress, LIMITS),
      timeout: TIMEOUT,
      // The egress policy decides which plain http is allowed.
      execute: [client.allowInsecureRequests],
    },
  );
}

/**
 * The client secret goes in the body if the provider's metadata lists that, otherwise in the header, the
 * default.
 */
function authenticateBy(clientSecret: string): client.ClientAuth {
  const [post, basic] = [
    client.ClientSecretPost(clientSecret),
    client.ClientSecretBasic(clientSecret),
  ];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    (methods.includes('client_secret_post') ? post : basic)(server, ...rest);
  };
}
