import type { OverviewAttention } from '@gatehouse/sdk';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { StatusShape } from '../../components/status.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { needsOf } from './needs-of.tsx';
import { useNodesBehind } from './nodes-behind.tsx';
import { useRefusedCalls } from './refused-calls.tsx';

export function NeedsAttention({ attention }: { attention: OverviewAttention }) {
  const parts = [needsOf(attention), useNodesBehind(), useRefusedCalls()];
  const isComplete = !parts.includes(undefined);
  const needs = parts.flatMap((part) => part ?? []);
  const count = needs.reduce((sum, { stands = 1 }) => sum + stands, 0);
  return (
    <Panel
      title="Needs attention"
      aside={
        isComplete &&
        count > 0 && <span className="tabular-nums">{count.toLocaleString('en')}</span>
      }
    >
      {needs.length === 0 && !isComplete && <SkeletonText />}
      {needs.length === 0 && isComplete && (
        <Empty sentence="Nothing needs your attention. Integrations that fail, connections, certificates and tokens that end, tools that change, calls that are refused and nodes that run an older version are shown here." />
      )}
      {needs.length > 0 && (
        <ul>
          {needs.map(({ key, tone, title, sentence, action }) => (
            <li
              key={key}
              className="flex flex-wrap gap-2 border-b border-line px-4 py-3 last:border-b-0"
            >
              <span className="flex h-5 w-5 items-center">
                <StatusShape tone={tone} />
              </span>
              <div className="min-w-0 flex-1 basis-56">
                <h3 className="foreign font-medium">{title}</h3>
                <p className="foreign text-ink-2">
                  <WithNames text={sentence} />
                </p>
              </div>
              <div className="ml-7">{action}</div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
