import type { TokenEndpointAuthMethod } from '@gatehouse/contract';
import type { Integration } from '../generated/prisma/client.ts';

/** The `oauth` column: the configuration without its secrets, which are sealed in their own rows. */
export interface OauthConfig {
  readonly provider?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scopes: readonly string[];
  readonly clientId?: string | undefined;
  /** The client was entered for the integration's own redirect URI, not for the one that all shared before. */
  readonly hasOwnRedirectUri?: boolean | undefined;
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod | undefined;
  readonly authorizationParams?: Readonly<Record<string, string>> | undefined;
  readonly resource?: string | undefined;
  /** The names of the sealed token parameters. */
  readonly tokenParamNames?: readonly string[] | undefined;
}

/** The stored OAuth configuration, or null. */
export function oauthConfigOf({ oauth }: Pick<Integration, 'oauth'>): OauthConfig | null {
  return oauth as OauthConfig | null;
}
