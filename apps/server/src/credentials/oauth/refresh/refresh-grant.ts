import { presentDestination } from '@gatehouse/contract';
import type { Connection, Integration } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database/store.ts';
import type { Vault } from '../../../vault/vault.ts';
import { credentialTargetOf } from '../../target.ts';
import { readClientSecrets } from '../client-secrets.ts';
import { type OauthGrant, refreshedGrant } from '../grant.ts';
import type { OauthHttp } from '../http.ts';
import { staticClient } from '../obtain-client.ts';
import { refreshTokens } from '../tokens/request-tokens.ts';
import { oauthUpstreamOf, type TokenSet } from '../upstream.ts';
import { UpstreamOauthError } from '../upstream-error.ts';

/** A connection to refresh, with its tokens opened. */
export interface RefreshableConnection {
  readonly connection: Connection;
  readonly integration: Integration;
  readonly grant: OauthGrant;
}

/** Whether the connection still fits the integration: otherwise nothing is sent. */
export function isForPresentDestination(
  integration: Integration,
  { mode, destination }: Pick<Connection, 'mode' | 'destination'>,
): boolean {
  const target = credentialTargetOf(integration);
  return mode === 'oauth' && target.authMode === mode && destination === presentDestination(target);
}

/**
 * Prepares the request to the token endpoint that the tokens came from. All reads are over when it returns, so that
 * `send` begins with the request.
 *
 * @throws UpstreamOauthError
 */
export async function prepareRefresh(
  deps: { readonly db: Db; readonly vault: Vault; readonly http: OauthHttp },
  { integration, grant }: RefreshableConnection,
): Promise<{ send(signal: AbortSignal): Promise<{ grant: OauthGrant; tokens: TokenSet }> }> {
  const { refreshToken, server, scopes = [] } = grant;
  if (refreshToken === undefined) throw new UpstreamOauthError('grant_rejected');
  const { clientSecret, tokenParams } = await readClientSecrets(deps, integration);
  const upstream = oauthUpstreamOf(integration);
  // The secret that an admin entered may have been replaced; a registered client has its own.
  const client =
    grant.client.source === 'static' ? staticClient(server, upstream, clientSecret) : grant.client;
  return {
    async send(signal) {
      const request = { server, upstream, client, tokenParams, refreshToken, scopes };
      const tokens = await refreshTokens(deps.http, request, signal);
      return { grant: refreshedGrant(grant, tokens, client), tokens };
    },
  };
}
