import type { AccessGraph, AccessGraphEdge } from '@gatehouse/contract';
import { accessPolicy } from './edge-policy.ts';
import type { Edge } from './repository.ts';
import type { AccessGraphRows } from './service.ts';

export function presentAccessGraph(rows: AccessGraphRows): AccessGraph {
  return {
    applications: [...rows.applications.values()].map((application) => ({
      id: application.id,
      name: application.name,
      ownerUserId: application.ownerUserId,
      archivedAt: application.archivedAt?.toISOString() ?? null,
    })),
    integrations: [...rows.integrations.values()].map((integration) => ({
      id: integration.id,
      name: integration.name,
      category: integration.category,
      authMode: integration.authMode,
      validationStatus: integration.validationStatus,
      archivedAt: integration.archivedAt?.toISOString() ?? null,
    })),
    edges: rows.edges.map((edge) => presentEdge(edge, rows)),
    truncated: rows.truncated,
  };
}

function presentEdge(
  edge: Edge,
  { applications, integrations, facts }: AccessGraphRows,
): AccessGraphEdge {
  const { applicationId, integrationId } = edge;
  const body = { applicationId, integrationId, attachedAt: edge.createdAt.toISOString() };
  const application = applications.get(applicationId);
  const integration = integrations.get(integrationId);
  const known = facts?.get(integrationId);
  if (!application || !integration || !known) return body;
  return { ...body, policy: accessPolicy(application, integration, known) };
}
