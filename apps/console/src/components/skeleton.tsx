/** Different from each other, like what will stand there. */
const WIDTHS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36', 'w-52'] as const;

/** The shape of a list that is on its way. It appears after 150 ms, so that fast answers do not flicker. */
export function SkeletonRows({ rows = WIDTHS.length }: { rows?: number }) {
  return (
    <div role="status" className="appear-late">
      <span className="sr-only">Loading</span>
      {WIDTHS.slice(0, rows).map((width) => (
        <div
          key={width}
          className="flex h-11 items-center gap-3 border-b border-line px-4 last:border-b-0"
        >
          <div className="size-6 rounded-6 bg-idle-soft" />
          <div className={`h-3 rounded-4 bg-idle-soft ${width}`} />
          <div className="ml-auto h-3 w-20 rounded-4 bg-idle-soft" />
        </div>
      ))}
    </div>
  );
}

/** The shape of lines of text that are on their way. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="appear-late grid gap-3 p-4">
      <span className="sr-only">Loading</span>
      {WIDTHS.slice(0, lines).map((width) => (
        <div key={width} className={`h-3 rounded-4 bg-idle-soft ${width}`} />
      ))}
    </div>
  );
}
