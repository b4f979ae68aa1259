/** Two columns of nodes by their numbers, and which are connected. */
export interface Columns {
  readonly left: number;
  readonly right: number;
  /** The left and the right end of each edge, one after the other. */
  readonly ends: Uint32Array;
}

/** The numbers of the nodes of each column, from top to bottom. */
export interface Order {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** More rounds seldom find anything better. */
const ROUNDS = 12;

/**
 * Orders both columns so that few edges cross: each node goes to the mean place of its neighbours, by turns on both
 * sides, and the best order that was seen is kept (Sugiyama, Tagawa and Toda, 1981). Nodes without edges come last.
 * Where it makes no difference, nodes keep the order in which they were given.
 */
export function orderColumns({ left, right, ends }: Columns): Order {
  const toRight = neighboursOf(left, ends, 0);
  const toLeft = neighboursOf(right, ends, 1);
  let order: Order = { left: numbers(left), right: numbers(right) };
  let best = order;
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && fewest > 0; round += 1) {
    const next = byMean(order.left, toRight, placesOf(order.right));
    order = { left: next, right: byMean(order.right, toLeft, placesOf(next)) };
    const crossings = crossingsOf(order, toRight);
    if (crossings >= fewest) continue;
    best = order;
    fewest = crossings;
  }
  return best;
}

/** How many pairs of edges cross, counted with a tree of sums over the right column (Fenwick, 1994). */
function crossingsOf(order: Order, toRight: readonly (readonly number[])[]): number {
  const places = placesOf(order.right);
  const sums = new Uint32Array(places.length + 1);
  let seen = 0;
  let crossings = 0;
  for (const node of order.left) {
    const ends = (toRight[node] ?? []).map((end) => places[end] ?? 0);
    for (const end of ends) {
      let above = 0;
      for (let at = end + 1; at > 0; at -= at & -at) above += sums[at] ?? 0;
      crossings += seen - above;
    }
    for (const end of ends) {
      for (let at = end + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + 1;
    }
    seen += ends.length;
  }
  return crossings;
}

function byMean(
  nodes: readonly number[],
  neighbours: readonly (readonly number[])[],
  places: Uint32Array,
): number[] {
  const means = neighbours.map((ends) =>
    ends.length === 0
      ? Number.MAX_VALUE
      : ends.reduce((sum, end) => sum + (places[end] ?? 0), 0) / ends.length,
  );
  return nodes.toSorted((one, other) => (means[one] ?? 0) - (means[other] ?? 0));
}

function placesOf(order: readonly number[]): Uint32Array {
  const places = new Uint32Array(order.length);
  for (const [place, node] of order.entries()) places[node] = place;
  return places;
}

function neighboursOf(count: number, ends: Uint32Array, side: 0 | 1): number[][] {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (let at = 0; at < ends.length; at += 2) {
    neighbours[ends[at + side] ?? 0]?.push(ends[at + 1 - side] ?? 0);
  }
  return neighbours;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
