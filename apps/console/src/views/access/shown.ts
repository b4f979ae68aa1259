import { hasWords } from '../has-words.ts';
import type { Graph, GraphEdge, GraphNode } from './graph.ts';
import type { AccessSearch } from './search.ts';

/** What of the graph is in view, and what of that is in full strength. */
export interface Shown extends Pick<Graph, 'applications' | 'integrations' | 'edges'> {
  /** The application or integration that is looked at. */
  readonly focus: GraphNode | undefined;
  /** The other end of the edge that is chosen, whether or not there is one. */
  readonly other: GraphNode | undefined;
  /** The edges of the focus by the ids of their other ends; undefined without a focus. */
  readonly near: ReadonlyMap<string, GraphEdge> | undefined;
}

/** What a URL says where nothing is looked at. */
export const NO_FOCUS = { focus: undefined, other: undefined, only: undefined, tried: undefined };

/** Above this many rows in a column, the neighbours of a node would be too far apart to see. */
const TALL = 24;

export function isTall({ applications, integrations }: Graph): boolean {
  return Math.max(applications.length, integrations.length) > TALL;
}

/** Applies what the URL says to the graph. */
export function shownOf(
  graph: Graph,
  { find, access, focus: focusId, other, only }: AccessSearch,
): Shown {
  const nodes = [...graph.applications, ...graph.integrations];
  const focus = nodes.find(({ id }) => id === focusId);
  const found = graph.edges.filter(
    (edge) =>
      (access === undefined || edge.access === access) &&
      hasWords(find, edge.application.name, edge.integration.name),
  );
  const own = focus && found.filter((edge) => hasEnd(edge, focus));
  const isNarrow = only === true && focus !== undefined;
  const edges = isNarrow && own !== undefined ? own : found;
  const isWhole = !find && access === undefined && !isNarrow;
  const ends = new Set(
    edges.flatMap(({ application, integration }) => [application.id, integration.id]),
  );
  const isShown = ({ id, name }: GraphNode) =>
    isWhole ||
    ends.has(id) ||
    id === focusId ||
    id === other ||
    (access === undefined && !isNarrow && hasWords(find, name));
  return {
    applications: graph.applications.filter(isShown),
    integrations: graph.integrations.filter(isShown),
    edges,
    focus,
    other: focus && nodes.find(({ id, kind }) => id === other && kind !== focus.kind),
    near: focus && new Map((own ?? []).map((edge) => [otherEnd(edge, focus).id, edge])),
  };
}

export function otherEnd({ application, integration }: GraphEdge, { kind }: GraphNode): GraphNode {
  return kind === 'application' ? integration : application;
}

function hasEnd({ application, integration }: GraphEdge, { id }: GraphNode): boolean {
  return application.id === id || integration.id === id;
}

/** An application and an integration, attached or not. */
export type Pair = Pick<GraphEdge, 'application' | 'integration'>;

export function pairOf(focus: GraphNode, other: GraphNode): Pair {
  const isApplication = focus.kind === 'application';
  return {
    application: isApplication ? focus : other,
    integration: isApplication ? other : focus,
  };
}
