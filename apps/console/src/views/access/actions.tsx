import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ExportMenu } from './export-menu.tsx';
import type { Graph } from './graph.ts';
import type { Whom } from './queries.ts';
import type { AccessSearch } from './search.ts';
import { shownOf } from './shown.ts';
import { useWhom } from './whom.tsx';

const WhatIfDialog = lazy(async () => ({
  default: (await import('./what-if-dialog.tsx')).WhatIfDialog,
}));

interface ActionsProps {
  /** Undefined until it is read. */
  readonly graph: Graph | undefined;
  readonly search: AccessSearch;
  readonly whom: Whom;
  readonly change: (changed: AccessSearch) => void;
}

/** What can be done with the graph. */
export function Actions({ graph, search, whom, change }: ActionsProps) {
  const who = useWhom(whom);
  const [isAsking, setAsking] = useState(false);
  const isTable = search.view === 'table';
  if (graph === undefined) return null;
  const shown = shownOf(graph, search);
  return (
    <>
      <Button onClick={() => change({ view: isTable ? undefined : 'table' })}>
        {isTable ? 'Graph' : 'Table'}
      </Button>
      <ExportMenu shown={shown} who={who} />
      <Button onClick={() => setAsking(true)}>What if…</Button>
      <Suspense fallback={null}>
        {isAsking && (
          <WhatIfDialog
            graph={graph}
            focus={shown.focus}
            onAsk={(focus, other) => {
              setAsking(false);
              change({ focus, other, tried: true });
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  );
}
