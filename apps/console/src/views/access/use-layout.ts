import { useEffect, useMemo, useState } from 'react';
import { workerUrl } from '../../api/worker-url.ts';
import type { Graph, GraphNode } from './graph.ts';
import workerFile from './layout.worker.ts?worker&url';
import type { Order } from './order-columns.ts';

type Places = ReadonlyMap<string, number>;

/** The same graph with its columns in the order that the worker found; undefined until it has found one. */
export function useLayout(graph: Graph | undefined): Graph | undefined {
  const [places, setPlaces] = useState<Places>();
  useEffect(() => {
    if (graph === undefined) return;
    const worker = new Worker(workerUrl(workerFile), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Order>) =>
      setPlaces(
        new Map([
          ...placesOf(graph.applications, data.left),
          ...placesOf(graph.integrations, data.right),
        ]),
      ),
    );
    // Without its worker the graph is in the order of names.
    worker.addEventListener('error', () => setPlaces(new Map()));
    const { applications, integrations } = graph;
    const columns = { left: applications.length, right: integrations.length, ends: endsOf(graph) };
    worker.postMessage(columns, [columns.ends.buffer]);
    return () => worker.terminate();
  }, [graph]);
  return useMemo(
    () =>
      graph &&
      places && {
        ...graph,
        applications: inPlaces(graph.applications, places),
        integrations: inPlaces(graph.integrations, places),
      },
    [graph, places],
  );
}

function endsOf({ applications, integrations, edges }: Graph): Uint32Array<ArrayBuffer> {
  const left = new Map(applications.map(({ id }, number) => [id, number]));
  const right = new Map(integrations.map(({ id }, number) => [id, number]));
  return Uint32Array.from(
    edges.flatMap(({ application, integration }) => [
      left.get(application.id) ?? 0,
      right.get(integration.id) ?? 0,
    ]),
  );
}

function placesOf(nodes: readonly GraphNode[], order: readonly number[]): [string, number][] {
  return order.flatMap((number, place) => {
    const node = nodes[number];
    return node === undefined ? [] : [[node.id, place] as [string, number]];
  });
}

/** What is new since the layout comes last. */
function inPlaces(nodes: readonly GraphNode[], places: Places): GraphNode[] {
  const placeOf = ({ id }: GraphNode) => places.get(id) ?? Number.MAX_VALUE;
  return nodes.toSorted((one, other) => placeOf(one) - placeOf(other));
}
