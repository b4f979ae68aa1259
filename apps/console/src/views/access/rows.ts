import type { GraphEdge, GraphNode } from './graph.ts';
import type { Shown } from './shown.ts';

/** An edge, or an application or integration without any. */
export interface Row {
  readonly id: string;
  readonly application: GraphNode | undefined;
  readonly integration: GraphNode | undefined;
  readonly edge: GraphEdge | undefined;
}

export function rowsOf({ applications, integrations, edges, focus, near }: Shown): Row[] {
  const shown = near === undefined ? edges : [...near.values()];
  const attached = new Set(
    edges.flatMap(({ application, integration }) => [application.id, integration.id]),
  );
  const isAlone = ({ id }: GraphNode) =>
    !attached.has(id) && (focus === undefined || id === focus.id);
  return [
    ...shown.map((edge) => ({ ...edge, edge })),
    ...[...applications, ...integrations].filter(isAlone).map((node) => ({
      id: node.id,
      application: node.kind === 'application' ? node : undefined,
      integration: node.kind === 'integration' ? node : undefined,
      edge: undefined,
    })),
  ];
}
