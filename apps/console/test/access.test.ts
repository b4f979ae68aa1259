import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../src/components/csv.ts';
import { drawingOf, nearestCurve } from '../src/views/access/curves.ts';
import { accessOf, edgeWords, graphOf } from '../src/views/access/graph.ts';
import { orderColumns } from '../src/views/access/order-columns.ts';
import { shownOf } from '../src/views/access/shown.ts';

const ALLOWED = { allowed: true, reasons: [] };

/** Applications `a0`, `a1` … and integrations `i0`, `i1` … with edges between them by their numbers. */
function graph(applications: number, integrations: number, edges: readonly [number, number][]) {
  const nodes = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${prefix}${index}`,
      name: `${prefix}${index}`,
      archivedAt: null,
    }));
  const page = {
    applications: nodes('a', applications).map((node) => ({ ...node, ownerUserId: 'u' })),
    integrations: nodes('i', integrations).map((node) => ({
      ...node,
      category: 'gateway_remote_mcp',
      authMode: 'none',
      validationStatus: 'valid',
    })),
    edges: edges.map(([application, integration]) => ({
      applicationId: `a${application}`,
      integrationId: `i${integration}`,
      attachedAt: '2026-11-01T00:00:00.000Z',
      use: 'called_through',
      policy: ALLOWED,
    })),
    truncated: false,
    nextCursor: null,
  };
  return graphOf({ pages: [page], isPartial: false });
}

describe('access', () => {
  it('is refused unless the service allows it, and conditional where rules leave out tools', () => {
    expect(accessOf(undefined)).toBe('refused');
    expect(accessOf({ allowed: false, reasons: [] })).toBe('refused');
    expect(accessOf({ ...ALLOWED, tools: { allowed: 0, total: 0 } })).toBe('allowed');
    const policy = { ...ALLOWED, tools: { allowed: 6, total: 24 } };
    expect(accessOf(policy)).toBe('conditional');
    expect(edgeWords({ access: 'conditional', policy })).toBe('6 of 24 tools');
  });

  it('is shown around one node with its neighbours alone, or with the rest', () => {
    const small = graph(3, 3, [
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
    const names = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name);
    const narrow = shownOf(small, { focus: 'a0', only: true });
    expect([names(narrow.applications), names(narrow.integrations)]).toEqual([
      ['a0'],
      ['i0', 'i1'],
    ]);
    const wide = shownOf(small, { focus: 'a0' });
    expect(wide.edges).toHaveLength(3);
    expect([...(wide.near?.keys() ?? [])]).toEqual(['i0', 'i1']);
    expect(names(shownOf(small, { find: 'a1 I1' }).applications)).toEqual(['a1']);
    expect(names(shownOf(small, { find: 'a2' }).applications)).toEqual(['a2']);
    expect(shownOf(small, { focus: 'nothing' }).near).toBeUndefined();
  });
});

describe('the order of the columns', () => {
  const order = (left: number, right: number, edges: readonly (readonly [number, number])[]) =>
    orderColumns({ left, right, ends: Uint32Array.from(edges.flat()) });

  function crossings(
    { left, right }: { left: readonly number[]; right: readonly number[] },
    edges: readonly (readonly [number, number])[],
  ): number {
    const placed = edges.map(([from, to]) => [left.indexOf(from), right.indexOf(to)] as const);
    return placed.filter(([from, to], index) =>
      placed.slice(index + 1).some((other) => (other[0] - from) * (other[1] - to) < 0),
    ).length;
  }

  it('lets no edges cross where they need not', () => {
    const edges = [
      [0, 2],
      [1, 1],
      [2, 0],
      [2, 1],
    ] as const;
    expect(crossings(order(3, 3, edges), edges)).toBe(0);
  });

  it('holds each node once, and those without edges last', () => {
    const ends = fc.uniqueArray(fc.tuple(fc.nat(7), fc.nat(5)), { selector: String });
    fc.assert(
      fc.property(ends, (edges) => {
        const { left, right } = order(9, 6, edges);
        expect(left.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
        expect(right.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
        const attached = left.map((node) => edges.some(([from]) => from === node));
        expect(attached.lastIndexOf(true)).toBe(new Set(edges.map(([from]) => from)).size - 1);
      }),
    );
  });
});

describe('an edge', () => {
  it('is found where the pointer is close to its line', () => {
    const shown = shownOf(
      graph(2, 2, [
        [0, 0],
        [1, 1],
      ]),
      {},
    );
    const { curves } = drawingOf(shown, false);
    const at = (x: number, y: number) => nearestCurve(curves, { x, y }, 300)?.key;
    expect(at(150, 24)).toBe('a0 i0');
    expect(at(299, 70)).toBe('a1 i1');
    expect(at(150, 48)).toBeUndefined();
  });

  it('that is faint is not found', () => {
    const shown = shownOf(
      graph(2, 2, [
        [0, 0],
        [1, 1],
      ]),
      { focus: 'a1' },
    );
    const { curves } = drawingOf(shown, false);
    expect(nearestCurve(curves, { x: 150, y: 24 }, 300)).toBeUndefined();
  });
});

describe('a table for other programs', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('runs nothing of %j', (text) => {
    const [cell = ''] = csvOf([[text, 'end']]).split(',end');
    expect(cell.replace(/^"/, '')).toMatch(/^'/);
  });

  it('quotes what would end a cell, and leaves the rest as it is', () => {
    expect(
      csvOf([
        ['a "b"', 'c,d'],
        ['e\nf', 'אנה = 1'],
      ]),
    ).toBe('"a ""b""","c,d"\r\n"e\nf",אנה = 1\r\n');
  });
});
