import type {
  Application as ApplicationBody,
  ApplicationOauth,
  ApplicationOauthWithSecret,
  AttachedIntegration,
} from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import type { ApplicationDetails } from './application-details.ts';
import { aggregateOf, limitsOf } from './columns.ts';
import type { AttachedRow } from './repository.ts';
import { canModify } from './rules.ts';

export interface PresentOptions {
  readonly actor: PersonCaller;
  /** Origin under which clients reach this service, without a trailing slash. */
  readonly publicUrl: string;
}

export function presentApplication(
  { application, integrations, sessions }: ApplicationDetails,
  { actor, publicUrl }: PresentOptions,
): ApplicationBody {
  const { id, name, ownerUserId, archivedAt } = application;
  return {
    id,
    name,
    ownerUserId,
    createdAt: application.createdAt.toISOString(),
    updatedAt: application.updatedAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
    canModify: canModify(actor, application),
    activeSessionCount: sessions.active,
    idleSessionCount: sessions.idle,
    liveSessionCount: sessions.live,
    totalSessionCount: sessions.total,
    firstCallAt: application.firstCallAt?.toISOString() ?? null,
    limits: limitsOf(application),
    aggregate: aggregateOf(application),
    mcpUrl: mcpUrlOf(application, publicUrl),
    mcpUrlTemplate: archivedAt ? null : `${publicUrl}/mcp/${id}/{integrationId}`,
    integrations: integrations.map((row) => presentAttached(row, publicUrl)),
    oauth: presentOauth(application),
  };
}

/** Null when it is off, and when the application is archived. */
export function mcpUrlOf(
  { id, archivedAt, aggregateMode }: Application,
  publicUrl: string,
): string | null {
  return archivedAt || aggregateMode === 'off' ? null : `${publicUrl}/mcp/${id}`;
}

export function presentOauth(application: Application): ApplicationOauth {
  return {
    type: application.clientType,
    redirectUris: application.redirectUris,
    pkceRequired: application.pkceRequired,
    scopes: application.scopes,
    allowedResources: application.allowedResources,
    allowDynamicClients: application.allowDynamicClients,
    clientId: application.id,
    clientSecretConfigured: application.secretHash !== null,
  };
}

/** The only response that contains the client secret. A public client has no secret. */
export function presentOauthWithSecret(
  application: Application,
  clientSecret: string | undefined,
): ApplicationOauthWithSecret {
  const oauth = presentOauth(application);
  return clientSecret === undefined ? oauth : { ...oauth, clientSecret };
}

export function presentAttached(row: AttachedRow, publicUrl: string): AttachedIntegration {
  const { applicationId, id, name, category, authMode, validationStatus } = row;
  return {
    id,
    name,
    category,
    authMode,
    validationStatus,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    attachedAt: row.attachedAt.toISOString(),
    alias: row.alias,
    mcpUrl: category === 'gateway_remote_mcp' ? `${publicUrl}/mcp/${applicationId}/${id}` : null,
  };
}
