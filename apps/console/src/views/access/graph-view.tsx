import { useCallback, useMemo } from 'react';
import { Column } from './column.tsx';
import { type Curve, drawingOf } from './curves.ts';
import { Edges } from './edges.tsx';
import type { AccessSearch } from './search.ts';
import { NO_FOCUS, otherEnd, type Shown } from './shown.ts';

interface GraphViewProps {
  readonly shown: Shown;
  /** Whether what would follow from the reverse of the chosen edge is asked. */
  readonly isTried: boolean;
  /** Whether a focus hides the rest. */
  readonly isNarrowing: boolean;
  readonly change: (changed: AccessSearch) => void;
}

/** Applications at the left, integrations at the right, and what is attached between them. */
export function GraphView({ shown, isTried, isNarrowing, change }: GraphViewProps) {
  const { applications, integrations, focus, other, near } = shown;
  const drawing = useMemo(() => drawingOf(shown, isTried), [shown, isTried]);
  const degrees = useMemo(() => degreesOf(shown), [shown]);
  const choose = useCallback(
    (id: string) => {
      if (id === focus?.id) change(NO_FOCUS);
      else if (near?.has(id)) change({ other: id, tried: undefined });
      else change({ ...NO_FOCUS, focus: id, only: isNarrowing || undefined });
    },
    [focus, near, isNarrowing, change],
  );
  const chooseEdge = ({ edge }: Curve) => {
    if (edge === undefined) return;
    const { application, integration } = edge;
    const from = integration.id === focus?.id ? integration : application;
    change({ focus: from.id, other: otherEnd(edge, from).id, tried: undefined });
  };
  const { isRoomy, isSpread } = drawing;
  const column = { focus, other, near, degrees, isRoomy, isSpread, onChoose: choose };
  return (
    // Without an opaque background Chromium paints all that is in view again for each step of a scroll.
    <div className="max-h-[max(420px,calc(100dvh-240px))] overflow-y-auto bg-panel">
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(48px,4fr)_minmax(0,5fr)] px-4 py-3">
        <Column label="Applications" nodes={applications} {...column} />
        <Edges drawing={drawing} onChoose={chooseEdge} />
        <Column label="Integrations" nodes={integrations} {...column} />
      </div>
    </div>
  );
}

function degreesOf({ edges }: Shown): Map<string, number> {
  const degrees = new Map<string, number>();
  for (const { application, integration } of edges) {
    for (const { id } of [application, integration]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  return degrees;
}
