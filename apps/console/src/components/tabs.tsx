import { type ReactNode, useEffect, useRef } from 'react';

/** Pixels of the next link that show that there is one. */
const BESIDE = 32;

/** Parts of a view, each with a URL: links, since what they open is a place. On a phone, the current one is scrolled to. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  const end = useRef(0);
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (!bar.current || !current) return;
    const { offsetLeft, offsetWidth } = current;
    // It moves when the counts of other links come.
    if (end.current === offsetLeft + offsetWidth) return;
    end.current = offsetLeft + offsetWidth;
    bar.current.scrollLeft = end.current + BESIDE - bar.current.clientWidth;
  });
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="relative mb-4 flex gap-5 overflow-x-auto border-b border-line whitespace-nowrap"
    >
      {children}
    </nav>
  );
}

/** The classes of a link in {@link Tabs}. */
export const tabClass =
  'border-b-2 border-transparent py-2 font-medium text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink';

/** How many things the part has, beside its name. */
export function TabCount({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return <span className="ml-1.5 font-normal text-ink-3 tabular-nums">{count}</span>;
}
