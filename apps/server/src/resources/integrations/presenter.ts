import {
  type Integration as IntegrationBody,
  type IntegrationOauth,
  type IntegrationOauthConfig,
  isJsonObject,
  type JsonObject,
  validationStageSchema,
} from '@gatehouse/contract';
import { redirectUriOf } from '../../credentials/oauth/clients/client-metadata.ts';
import { oauthUpstreamOf } from '../../credentials/oauth/upstream.ts';
import { type OauthConfig, oauthConfigOf } from '../../credentials/oauth-config.ts';
import { isPersonalMode } from '../../credentials/target.ts';
import { presentConnection } from '../present-connection.ts';
import type { IntegrationRow } from './repository.ts';
import { hasSecret, hasServerTokenFor, oauthSecretDestination } from './secrets.ts';

/** @param connectionCounts by the ids of integrations; empty for members */
export function presentIntegration(
  row: IntegrationRow,
  connectionCounts: ReadonlyMap<string, number>,
): IntegrationBody {
  const oauth = oauthConfigOf(row);
  const hasUsers = isPersonalMode(row.authMode);
  const connectionCount = connectionCounts.get(row.id);
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    category: row.category,
    authMode: row.authMode,
    ...(oauth ? { oauth: presentOauth(oauth) } : {}),
    ...(row.capabilities === null ? {} : { capabilities: row.capabilities as JsonObject }),
    ...(row.credentialSchema === null
      ? {}
      : { credentialSchema: row.credentialSchema as JsonObject }),
    serverTokenConfigured: hasServerTokenFor(row.secrets, row.url),
    validationStatus: row.validationStatus,
    ...(row.validationMessage === null ? {} : { validationMessage: row.validationMessage }),
    ...(row.lastValidatedAt === null ? {} : { lastValidatedAt: row.lastValidatedAt.toISOString() }),
    ...(row.certificateExpiresAt === null
      ? {}
      : { certificateExpiresAt: row.certificateExpiresAt.toISOString() }),
    ...(row.validateEveryMinutes === null
      ? {}
      : { validateEveryMinutes: row.validateEveryMinutes }),
    ...(hasUsers ? { userConnection: presentConnection(row, row.connections[0]) } : {}),
    ...(hasUsers && connectionCount !== undefined ? { connectionCount } : {}),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
  };
}

/** With what lists leave out: the stages of the validation that counts. */
export function presentOneIntegration(
  row: IntegrationRow,
  connectionCounts: ReadonlyMap<string, number>,
): IntegrationBody {
  const integration = presentIntegration(row, connectionCounts);
  const { validationStages: stored } = row;
  const isCounted = integration.validationMessage !== undefined;
  if (!isCounted || !isJsonObject(stored) || stored.at !== integration.lastValidatedAt) {
    return integration;
  }
  const { success, data } = validationStageSchema.array().safeParse(stored.stages);
  return success ? { ...integration, validationStages: data } : integration;
}

/**
 * The OAuth configuration for owners and admins; empty if nothing is configured. It only says whether
 * secrets are stored.
 */
export function presentOauthConfig(
  { secrets, ...row }: IntegrationRow,
  publicUrl: string,
): IntegrationOauthConfig {
  const oauth = oauthConfigOf(row) ?? { scopes: [] };
  const { clientId, tokenEndpointAuthMethod, authorizationParams, resource } = oauth;
  const destination = oauthSecretDestination(oauth);
  const hasParams = hasSecret(secrets, 'oauth_token_params', destination);
  return {
    ...presentOauth(oauth),
    ...(clientId === undefined ? {} : { clientId }),
    clientSecretConfigured: hasSecret(secrets, 'oauth_client_secret', destination),
    ...(tokenEndpointAuthMethod === undefined ? {} : { tokenEndpointAuthMethod }),
    ...(authorizationParams === undefined
      ? {}
      : { authorizationParams: { ...authorizationParams } }),
    ...(hasParams ? { tokenParamNames: [...(oauth.tokenParamNames ?? [])] } : {}),
    ...(resource === undefined ? {} : { resource }),
    redirectUri: redirectUriOf(publicUrl, oauthUpstreamOf(row)),
  };
}

function presentOauth({ provider, issuer, scopes }: OauthConfig): IntegrationOauth {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(issuer === undefined ? {} : { issuer }),
    scopes: [...scopes],
  };
}
