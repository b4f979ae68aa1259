import {
  type AccessGraph,
  type AccessGraphEdge,
  type AccessPolicy,
  accessReasonMessages,
  policyMessage,
} from '@gatehouse/contract';
import type { ApplicationNode, Edge, IntegrationNode } from './repository.ts';
import type { AccessGraphRows, PeopleRefusals } from './service.ts';
import { isCredentialOnly, staticReasonsOf } from './static-reasons.ts';

/** Lists are generated lazily, because they can be long. */
export function presentAccessGraph(rows: AccessGraphRows, nextCursor: string | null) {
  return {
    applications: map(rows.applications.values(), presentApplication),
    integrations: map(rows.integrations.values(), presentIntegration),
    edges: map(rows.edges, (edge) => presentEdge(edge, rows)),
    truncated: nextCursor !== null,
    nextCursor,
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
  { applications, integrations, policy }: AccessGraphRows,
): AccessGraphEdge {
  const { applicationId, integrationId } = edge;
  const application = applications.get(applicationId);
  const integration = integrations.get(integrationId);
  const use = integration && isCredentialOnly(integration) ? 'handed_out_to' : 'called_through';
  const attachedAt = edge.createdAt.toISOString();
  const body = { applicationId, integrationId, attachedAt, use } as const;
  const credential = policy?.credentials.get(integrationId);
  if (!application || !integration || !credential) return body;
  const reasons = [
    ...staticReasonsOf({ application, integration, credential }).map((code) => ({
      code,
      message: accessReasonMessages[code],
    })),
    ...peopleReasons(policy?.refusals.get(edge.id) ?? []),
  ];
  const tools = policy?.tools.get(edge.id);
  const counts = tools === undefined ? {} : { tools };
  return { ...body, policy: { allowed: reasons.length === 0, reasons, ...counts } };
}

/** What rules refuse, in the sentences that the person themselves would read. */
function peopleReasons(refusals: PeopleRefusals): AccessPolicy['reasons'] {
  return refusals.map((reason) => ({ ...reason, message: policyMessage([reason]) }));
}
