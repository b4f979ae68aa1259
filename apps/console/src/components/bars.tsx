/** What was counted in one step of time. */
export interface Bar {
  readonly all: number;
  /** Those of them that were refused or failed. */
  readonly bad: number;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly className: string;
}

/** Of 100: the highest bar has all of it, and what was counted at all can be seen. */
const LEAST = 3;
/** Of the width of a step, at each of its sides. */
const GAP = 0.1;

/** Counts by time, from left to right. Screen readers do not meet it: the same numbers are always beside it. */
export function Bars({ bars, className }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const pathOf = (counts: readonly number[]) =>
    counts.map((count, step) => (count === 0 ? '' : barPath(step, (count / most) * 100))).join('');
  return (
    <svg
      viewBox={`0 0 ${bars.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={className}
    >
      <path d={pathOf(bars.map(({ all }) => all))} className="fill-chart" />
      <path d={pathOf(bars.map(({ bad }) => bad))} className="fill-chart-bad" />
      <path
        d={`M0 100H${bars.length}`}
        vectorEffect="non-scaling-stroke"
        className="stroke-line-strong"
      />
    </svg>
  );
}

function barPath(step: number, height: number): string {
  const top = 100 - Math.max(LEAST, height);
  return `M${step + GAP} 100V${top.toFixed(1)}H${step + 1 - GAP}V100z`;
}
