import type { AccessGraph, AccessPolicy } from '@gatehouse/sdk';
import { type Access, accessLabels } from './labels.ts';

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly kind: 'application' | 'integration';
  readonly isArchived: boolean;
}

export interface GraphEdge {
  readonly id: string;
  readonly application: GraphNode;
  readonly integration: GraphNode;
  readonly access: Access;
  readonly policy: AccessPolicy | undefined;
  readonly attachedAt: string;
}

/** What is attached to what, for one person. Nodes are in the order of their names. */
export interface Graph {
  readonly applications: readonly GraphNode[];
  readonly integrations: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Whether there are more applications than were read. */
  readonly isPartial: boolean;
}

/** The pages of the access graph, as they were read. */
export interface GraphPages {
  readonly pages: readonly AccessGraph[];
  readonly isPartial: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function graphOf({ pages, isPartial }: GraphPages): Graph {
  const applications = nodesOf(
    'application',
    pages.flatMap((page) => page.applications),
  );
  const integrations = nodesOf(
    'integration',
    pages.flatMap((page) => page.integrations),
  );
  const edges = pages
    .flatMap((page) => page.edges)
    .flatMap(({ applicationId, integrationId, policy, attachedAt }) => {
      const application = applications.get(applicationId);
      const integration = integrations.get(integrationId);
      if (application === undefined || integration === undefined) return [];
      const id = edgeId(applicationId, integrationId);
      return [{ id, application, integration, access: accessOf(policy), policy, attachedAt }];
    });
  return {
    applications: byName(applications),
    integrations: byName(integrations),
    edges,
    isPartial,
  };
}

export function edgeId(applicationId: string, integrationId: string): string {
  return `${applicationId} ${integrationId}`;
}

/** Refused unless the service says that it is allowed. */
export function accessOf(policy: AccessPolicy | undefined): Access {
  if (policy?.allowed !== true) return 'refused';
  const { tools } = policy;
  return tools !== undefined && tools.allowed < tools.total ? 'conditional' : 'allowed';
}

/** `6 of 24 tools`, or what else there is to say of an edge in a few words. */
export function edgeWords({ access, policy }: Pick<GraphEdge, 'access' | 'policy'>): string {
  const { allowed = 0, total = 0 } = policy?.tools ?? {};
  return access === 'refused' || total === 0
    ? accessLabels[access]
    : `${allowed} of ${total} ${total === 1 ? 'tool' : 'tools'}`;
}

/** Why an edge is refused, in the sentences of the service. */
export function reasonsOf({ policy }: Pick<GraphEdge, 'policy'>): string {
  return (policy?.reasons ?? []).map(({ message }) => message).join(' ');
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly archivedAt: string | null;
}

function nodesOf(kind: GraphNode['kind'], rows: readonly Named[]): Map<string, GraphNode> {
  return new Map(
    rows.map(({ id, name, archivedAt }) => [
      id,
      { id, name, kind, isArchived: archivedAt !== null },
    ]),
  );
}

function byName(nodes: ReadonlyMap<string, GraphNode>): GraphNode[] {
  return [...nodes.values()].sort((one, other) => collator.compare(one.name, other.name));
}
