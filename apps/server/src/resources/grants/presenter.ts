import type { Grant } from '@gatehouse/contract';
import type { GrantWithNames } from '../../identity/grants/list-grants.ts';

export function presentGrant(grant: GrantWithNames): Grant {
  const { id, applicationId, application, clientId, clientName, resources, scopes } = grant;
  return {
    id,
    applicationId,
    applicationName: application.name,
    clientId,
    ...(clientName === undefined ? {} : { clientName }),
    resources,
    scopes,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    expiresAt: grant.expiresAt.toISOString(),
  };
}
