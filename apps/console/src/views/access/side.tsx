import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { edgeId, edgeWords, type Graph, type GraphEdge } from './graph.ts';
import { Levels } from './levels.tsx';
import { NodeFacts } from './node-facts.tsx';
import type { Whom } from './queries.ts';
import type { AccessSearch } from './search.ts';
import { NO_FOCUS, pairOf, type Shown } from './shown.ts';
import { WhatIf } from './what-if.tsx';
import { useWhom } from './whom.tsx';

interface SideProps {
  readonly graph: Graph;
  readonly shown: Shown;
  readonly search: AccessSearch;
  readonly whom: Whom;
  readonly change: (changed: AccessSearch) => void;
}

/** Beside the graph or the table: what is looked at, in words. */
export function Side({ graph, shown, search, whom, change }: SideProps) {
  const { focus, other } = shown;
  if (search.focus === undefined) return null;
  const close = (
    <Button size="small" look="plain" className="ml-auto" onClick={() => change(NO_FOCUS)}>
      Close
    </Button>
  );
  if (focus === undefined) {
    return (
      <Frame title="Not in the graph" close={close}>
        <p>It does not exist, or it is not among the applications that were read.</p>
      </Frame>
    );
  }
  if (other === undefined) {
    return (
      <Frame title={focus.name} close={close}>
        <NodeFacts node={focus} edges={graph.edges} search={search} change={change} />
      </Frame>
    );
  }
  const pair = pairOf(focus, other);
  const id = edgeId(pair.application.id, pair.integration.id);
  const edge = graph.edges.find((one) => one.id === id);
  return (
    <Frame title={`${pair.application.name} → ${pair.integration.name}`} close={close}>
      {edge === undefined ? (
        <p>It is not attached: the application cannot use the integration, for anyone.</p>
      ) : (
        <EdgeFacts edge={edge} whom={whom} />
      )}
      <WhatIf
        key={id}
        kind={edge === undefined ? 'attach' : 'detach'}
        pair={pair}
        isAsked={search.tried ?? false}
        onAsk={(isAsked) => change({ tried: isAsked || undefined })}
      />
    </Frame>
  );
}

function Frame({
  title,
  close,
  children,
}: {
  title: string;
  close: ReactNode;
  children: ReactNode;
}) {
  return (
    <aside
      aria-label="What is chosen"
      className="grid min-w-0 content-start gap-3 p-4 max-wide:border-t max-wide:border-line wide:border-l wide:border-line"
    >
      <div className="flex items-start gap-2">
        <h2 className="foreign min-w-0 text-14 font-semibold">{title}</h2>
        {close}
      </div>
      {children}
    </aside>
  );
}

function EdgeFacts({ edge, whom }: { edge: GraphEdge; whom: Whom }) {
  const { application, integration } = edge;
  const pair = { applicationId: application.id, integrationId: integration.id };
  return (
    <>
      <p className="foreign font-medium">{verdictOf(edge, useWhom(whom))}</p>
      <Levels edge={edge} pair={pair} />
    </>
  );
}

function verdictOf(edge: GraphEdge, who: string): string {
  if (edge.access === 'refused') return `${who} may not use it.`;
  const { total = 0 } = edge.policy?.tools ?? {};
  return total === 0 ? `${who} may use it.` : `${who} may use ${edgeWords(edge)}.`;
}
