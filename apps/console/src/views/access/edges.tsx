import { type MouseEvent, memo, useMemo, useState } from 'react';
import { type Curve, curvePath, type Drawing, nearestCurve } from './curves.ts';
import { lineClasses } from './line.tsx';

interface EdgesProps {
  readonly drawing: Drawing;
  readonly onChoose: (curve: Curve) => void;
}

/** The lines between the columns. By keyboard an edge is chosen at its ends, or in the table. */
export function Edges({ drawing: { curves, chosen, height }, onChoose }: EdgesProps) {
  const [pointed, setPointed] = useState<Curve>();
  const atPointer = ({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    return nearestCurve(curves, { x: clientX - left, y: clientY - top }, width);
  };
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 100 ${height}`}
      height={height}
      preserveAspectRatio="none"
      className={`w-full fill-none ${pointed === undefined ? '' : 'cursor-pointer'}`}
      onPointerMove={(event) => setPointed(atPointer(event))}
      onPointerLeave={() => setPointed(undefined)}
      onClick={(event) => {
        const curve = atPointer(event);
        if (curve !== undefined) onChoose(curve);
      }}
    >
      <Lines curves={curves} />
      {pointed !== undefined && <Strong curve={pointed} />}
      {chosen !== undefined && <Strong curve={chosen} />}
    </svg>
  );
}

function Strong({ curve }: { curve: Curve }) {
  return (
    <path
      d={curvePath(curve)}
      vectorEffect="non-scaling-stroke"
      strokeWidth="3"
      className={`pointer-events-none ${lineClasses[curve.look === 'many' ? 'allowed' : curve.look]}`}
    />
  );
}

/** The lines of one look are one path. What is faint lies below the rest. */
const LOOKS = ['faint', 'many', 'refused', 'conditional', 'allowed'] as const;

const Lines = memo(function Lines({ curves }: { curves: readonly Curve[] }) {
  const paths = useMemo(
    () =>
      LOOKS.map((look) => {
        const d = curves.filter((curve) => curve.look === look).map(curvePath);
        return [look, d.join('')] as const;
      }),
    [curves],
  );
  return paths.map(([look, d]) => (
    <path
      key={look}
      d={d}
      vectorEffect="non-scaling-stroke"
      strokeWidth={look === 'many' ? 1 : 1.25}
      // The pointer is compared with all lines at once: by path, Chromium takes 6 ms for each step of a scroll.
      className={`pointer-events-none ${lineClasses[look]}`}
    />
  ));
});
