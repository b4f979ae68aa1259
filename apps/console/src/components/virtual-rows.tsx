import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';

/** Pixels of a row that was never shown. */
const HEIGHT = 45;

/** Rows above and below the window: what a fast scroll passes in two frames. */
const OVERSCAN = 25;

interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** @param index its place among all rows */
  readonly children: (row: Row, index: number, ref: Ref<HTMLTableRowElement>) => ReactNode;
}

/** The body of a table with many rows. */
export function VirtualRows<Row>({ rows, rowKey, children }: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const now = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setTop((before) => (Math.abs(now - before) < 1 ? before : now));
  });
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => HEIGHT,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const near = virtualizer.getVirtualItems();
  const before = (near[0]?.start ?? top) - top;
  const after = virtualizer.getTotalSize() - ((near.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body}>
      <Space height={before} />
      {near.map(({ index }) => children(rows[index] as Row, index, virtualizer.measureElement))}
      <Space height={after} />
    </tbody>
  );
}

/** In place of rows that are not near. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row does not take the focus.
    <tr aria-hidden="true">
      <td style={{ height }} />
    </tr>
  );
}
