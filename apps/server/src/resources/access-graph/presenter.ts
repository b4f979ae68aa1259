import type { AccessGraph, AccessGraphEdge } from '@gatehouse/contract';
import { accessPolicy } from './edge-policy.ts';
import type { ApplicationNode, Edge, IntegrationNode } from './repository.ts';
import type { AccessGraphRows } from './service.ts';

/** The lists are made while they are read, because they can be long. */
export function presentAccessGraph(rows: AccessGraphRows) {
  return {
    applications: map(rows.applications.values(), presentApplication),
    integrations: map(rows.integrations.values(), presentIntegration),
    edges: map(rows.edges, (edge) => presentEdge(edge, rows)),
    truncated: rows.truncated,
  };
}

function* map<Row, Shown>(rows: Iterable<Row>, present: (row: Row) => Shown): Generator<Shown> {
  for (const row of rows) yield present(row);
}

function presentApplication(node: ApplicationNode): AccessGraph['applications'][number] {
  const { id, name, ownerUserId, archivedAt } = node;
  return { id, name, ownerUserId, archivedAt: archivedAt?.toISOString() ?? null };
}

function presentIntegration(node: IntegrationNode): AccessGraph['integrations'][number] {
  const { id, name, category, authMode, validationStatus, archivedAt } = node;
  return {
    id,
    name,
    category,
    authMode,
    validationStatus,
    archivedAt: archivedAt?.toISOString() ?? null,
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
