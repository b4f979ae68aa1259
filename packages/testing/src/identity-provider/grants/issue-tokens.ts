import type { ProviderSettings } from '../settings.ts';
import type { IssuedTokens } from '../shapes/issued-tokens.ts';
import type { MutableGrant } from './grant.ts';
import type { GrantTable } from './grant-table.ts';

/** What new tokens are for. */
export interface TokenWish {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** Whether a refresh token may be among them. */
  readonly wantsRefresh: boolean;
}

/** Issues an access token, and a refresh token where the settings give one. */
export function issueTokens(
  grant: MutableGrant,
  { scopes, resources, wantsRefresh }: TokenWish,
  grants: GrantTable,
  settings: ProviderSettings,
): Omit<IssuedTokens, 'grantType' | 'idToken'> {
  const { accessTokenSeconds: seconds, refreshTokenSeconds, shape } = settings;
  const access = { kind: 'access', scopes, resources, seconds } as const;
  const refresh = { kind: 'refresh', seconds: refreshTokenSeconds } as const;
  return {
    accessToken: grants.issue(grant, access),
    botToken: shape === 'slack' ? grants.issue(grant, { ...access, sub: 'bot' }) : undefined,
    refreshToken:
      wantsRefresh && givesRefreshToken(grant, settings) ? grants.issue(grant, refresh) : undefined,
    expiresIn: seconds === null ? undefined : Math.ceil(seconds),
    scopes,
    sub: grant.sub,
  };
}

function givesRefreshToken(grant: MutableGrant, { refreshTokens }: ProviderSettings): boolean {
  if (refreshTokens === 'offline_access') return grant.scopes.includes('offline_access');
  return refreshTokens === 'always';
}
