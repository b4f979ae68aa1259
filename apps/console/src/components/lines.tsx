export interface Line {
  readonly look: 'solid' | 'dashed' | 'dotted';
  /** One for each step of time; null where there is no value. */
  readonly values: readonly (number | null)[];
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly className: string;
}

const DASHES: Readonly<Record<Line['look'], string | undefined>> = {
  solid: undefined,
  dashed: '6 4',
  dotted: '1 4',
};

/** Values by time, from left to right. Screen readers do not meet it: the same numbers are always beside it. */
export function Lines({ lines, className }: LinesProps) {
  const steps = Math.max(0, ...lines.map(({ values }) => values.length));
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <svg
      viewBox={`0 0 ${steps} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`overflow-visible ${className}`}
    >
      <path
        d={`M0 100H${steps}`}
        vectorEffect="non-scaling-stroke"
        className="stroke-line-strong"
      />
      {lines.map(({ look, values }) => (
        <path
          key={look}
          d={linePath(values, most)}
          strokeDasharray={DASHES[look]}
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
          className="fill-none stroke-chart"
        />
      ))}
    </svg>
  );
}

/** From the middle of a step to that of the next, with a gap where there is no value. A value alone is as wide as its step. */
function linePath(values: readonly (number | null)[], most: number): string {
  const isThere = (step: number) => (values[step] ?? null) !== null;
  return values
    .map((value, step) => {
      if (value === null) return '';
      const y = (100 - (value / most) * 100).toFixed(1);
      if (isThere(step - 1)) return `L${step + 0.5} ${y}`;
      return isThere(step + 1) ? `M${step + 0.5} ${y}` : `M${step + 0.1} ${y}h.8`;
    })
    .join('');
}
