import type { Grant } from '@gatehouse/contract';
import type { GrantWithApplication } from '../../identity/grants/list-grants.ts';

export function presentGrant(grant: GrantWithApplication): Grant {
  const { id, applicationId, application, clientId, resources, scopes } = grant;
  return {
    id,
    applicationId,
    applicationName: application.name,
    clientId,
    resources,
    scopes,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    expiresAt: grant.expiresAt.toISOString(),
  };
}
