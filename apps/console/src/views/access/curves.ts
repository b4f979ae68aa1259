import { edgeId, type GraphEdge } from './graph.ts';
import type { Access } from './labels.ts';
import { type Pair, pairOf, type Shown } from './shown.ts';

/** How an edge looks: by its access, or as one of many, as no neighbour, or as what is tried. */
export type Look = Access | 'many' | 'faint' | 'tried';

/** An edge as it is drawn: from the left column to the right one, in pixels from the top. */
export interface Curve {
  readonly key: string;
  readonly edge: GraphEdge | undefined;
  readonly from: number;
  readonly to: number;
  readonly look: Look;
}

/** The columns and what lies between them, in pixels. */
export interface Drawing {
  readonly height: number;
  /** Whether all of it is in view: then rows have more space. */
  readonly isRoomy: boolean;
  /** Whether the shorter column is as high as the other: lines are less steep then. */
  readonly isSpread: boolean;
  readonly curves: readonly Curve[];
  /** The edge that is chosen, or that is tried. */
  readonly chosen: Curve | undefined;
}

/** The most rows of a column that are in view together. */
const ROOMY = 14;

/** Up to this many times as many rows, the shorter column is not torn apart. */
const SPREAD = 2;

/** Beyond this many edges, what is allowed steps back behind what is not. */
const MANY = 200;

/** @param isTried whether the chosen edge is tried the other way: added, or removed */
export function drawingOf(shown: Shown, isTried: boolean): Drawing {
  const { applications, integrations, focus, other } = shown;
  const rows = Math.max(applications.length, integrations.length, 1);
  const isRoomy = rows <= ROOMY;
  const isSpread = isRoomy || rows <= SPREAD * Math.min(applications.length, integrations.length);
  const height = rows * pitchOf(isRoomy);
  const middles = (nodes: readonly { readonly id: string }[]) =>
    new Map(
      nodes.map(({ id }, row) => [id, rowMiddle({ height, isRoomy, isSpread }, nodes.length, row)]),
    );
  const lefts = middles(applications);
  const rights = middles(integrations);
  const curve = (ends: Pair, edge: GraphEdge | undefined, look: Curve['look']): Curve => ({
    key: edgeId(ends.application.id, ends.integration.id),
    edge,
    from: lefts.get(ends.application.id) ?? 0,
    to: rights.get(ends.integration.id) ?? 0,
    look,
  });
  const curves = shown.edges.map((edge) => curve(edge, edge, lookOf(shown, edge)));
  const pair = focus && other && pairOf(focus, other);
  const edge =
    pair && curves.find(({ key }) => key === edgeId(pair.application.id, pair.integration.id));
  const tried = isTried && pair ? curve(pair, edge?.edge, 'tried') : undefined;
  return { height, isRoomy, isSpread, curves, chosen: tried ?? edge };
}

/** Where the middle of a row is in a column with this many rows. */
export function rowMiddle(
  { height, isRoomy, isSpread }: Pick<Drawing, 'height' | 'isRoomy' | 'isSpread'>,
  rows: number,
  row: number,
): number {
  const pitch = isSpread ? height / rows : pitchOf(isRoomy);
  return (row + 0.5) * pitch;
}

function pitchOf(isRoomy: boolean): number {
  return isRoomy ? 48 : 36;
}

function lookOf(
  { near, focus, edges }: Shown,
  { application, integration, access }: GraphEdge,
): Look {
  if (near === undefined) return access === 'allowed' && edges.length > MANY ? 'many' : access;
  return application.id === focus?.id || integration.id === focus?.id ? access : 'faint';
}

/** Across a width of 100. With handles at thirds, the place along a curve is its distance from the left. */
export function curvePath({ from, to }: Pick<Curve, 'from' | 'to'>): string {
  return `M0 ${from}C33.333 ${from} 66.667 ${to} 100 ${to}`;
}

/** How far a pointer may be from a line, in pixels. */
const REACH = 8;

/** The curve that is closest to a point, if one is close. What is faint cannot be pointed at. */
export function nearestCurve(
  curves: readonly Curve[],
  { x, y }: { readonly x: number; readonly y: number },
  width: number,
): Curve | undefined {
  const part = Math.min(Math.max(x / width, 0), 1);
  const rise = part * part * (3 - 2 * part);
  const slope = (6 * part * (1 - part)) / width;
  let nearest: Curve | undefined;
  let least = REACH;
  for (const curve of curves) {
    if (curve.look === 'faint') continue;
    const height = curve.to - curve.from;
    const distance = Math.abs(curve.from + height * rise - y) / Math.hypot(1, height * slope);
    if (distance >= least) continue;
    least = distance;
    nearest = curve;
  }
  return nearest;
}
