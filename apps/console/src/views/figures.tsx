import type { ReactNode } from 'react';

interface FiguresProps {
  readonly lines: readonly (readonly [label: string, figure: ReactNode])[];
}

/** What was counted, one line for each: the figure, and what it counts. */
export function Figures({ lines }: FiguresProps) {
  return (
    <dl className="grid gap-1.5">
      {lines.map(([label, figure]) => (
        <div key={label} className="grid grid-cols-[48px_1fr] gap-3">
          <dt className="col-start-2 row-start-1">{label}</dt>
          <dd className="col-start-1 row-start-1 text-right font-semibold tabular-nums">
            {figure}
          </dd>
        </div>
      ))}
    </dl>
  );
}
