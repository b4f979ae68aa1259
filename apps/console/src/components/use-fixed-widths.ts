import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface FixedWidths {
  readonly table: RefObject<HTMLTableElement | null>;
  /** Of the columns that are visible, in pixels; undefined while the browser lays them out. */
  readonly widths: readonly number[] | undefined;
}

/** Keeps the columns of a table as wide as they are at first, so that rows which come and go do not move them. */
export function useFixedWidths(isFixed: boolean): FixedWidths {
  const table = useRef<HTMLTableElement>(null);
  const [widths, setWidths] = useState<readonly number[]>();
  useLayoutEffect(() => {
    if (!isFixed || widths !== undefined) return;
    const heads = [...(table.current?.querySelectorAll('th') ?? [])];
    setWidths(heads.map((head) => head.getBoundingClientRect().width).filter((width) => width > 0));
  }, [isFixed, widths]);
  useEffect(() => {
    const forget = () => setWidths(undefined);
    window.addEventListener('resize', forget);
    return () => window.removeEventListener('resize', forget);
  }, []);
  return { table, widths: isFixed ? widths : undefined };
}
