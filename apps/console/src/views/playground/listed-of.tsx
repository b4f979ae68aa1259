import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Tabs, tabClass } from '../../components/tabs.tsx';
import { Answered } from './answered.tsx';
import { CallPanel } from './call-panel.tsx';
import { IntegrationStates } from './integration-states.tsx';
import { kindLabels } from './kinds.ts';
import type { ListOf } from './mcp/client.ts';
import { CallRefused } from './mcp/exchange.ts';
import { KINDS } from './mcp/listed.ts';
import { type Era, VERSIONS } from './mcp/messages.ts';
import { Picker } from './picker.tsx';
import type { Target } from './target.ts';
import { listQuery, useGateway } from './use-gateway.ts';

const route = getRouteApi('/playground');

/** The list beside what is chosen from it. */
const BESIDE = 'grid items-start gap-4 wide:grid-cols-[minmax(0,340px)_minmax(0,1fr)]';

interface ListedOfProps {
  readonly target: Target;
  readonly era: Era | undefined;
}

/** What the person may call, and what is chosen of it. */
export function ListedOf({ target, era }: ListedOfProps) {
  const { mcpUrl, name, integrations } = target;
  const { kind = 'tools', name: chosenName } = route.useSearch();
  const gateway = useGateway(mcpUrl, era);
  const { data, error, isFetching, refetch } = useQuery(listQuery(gateway, kind, mcpUrl, era));
  const chosen = data?.entries.find((each) => each.name === chosenName);
  return (
    <div>
      <Kinds />
      <div className={chosen === undefined ? 'grid' : BESIDE}>
        <Panel
          title={
            <span className="foreign">
              {kindLabels[kind]} of <bdi>{name}</bdi>
            </span>
          }
          aside={data !== undefined && <Spoken list={data} isBusy={isFetching} onRead={refetch} />}
        >
          {data === undefined && error === null && <SkeletonRows rows={4} />}
          {error !== null && (
            <Refused error={error} target={target} onRetry={() => void refetch()} />
          )}
          {data?.entries.length === 0 && (
            <Empty sentence={`The server lists no ${kind} for you.`} />
          )}
          {data !== undefined && data.entries.length > 0 && (
            <Picker key={kind} kind={kind} list={data} chosen={chosenName} />
          )}
          {data !== undefined && integrations !== undefined && (
            <IntegrationStates states={data.states} names={integrations} />
          )}
        </Panel>
        {chosen !== undefined && (
          <CallPanel
            key={`${kind} ${chosen.name}`}
            gateway={gateway}
            listed={chosen}
            target={target}
          />
        )}
      </div>
    </div>
  );
}

function Kinds() {
  const { kind: current = 'tools' } = route.useSearch();
  return (
    <Tabs label="What to call">
      {KINDS.map((kind) => (
        <Link
          key={kind}
          from="/playground"
          search={({ name: _left, ...before }) => ({
            ...before,
            kind: kind === 'tools' ? undefined : kind,
          })}
          aria-current={kind === current ? 'page' : 'false'}
          className={tabClass}
        >
          {kindLabels[kind]}
        </Link>
      ))}
    </Tabs>
  );
}

interface SpokenProps {
  readonly list: ListOf;
  readonly isBusy: boolean;
  readonly onRead: () => unknown;
}

function Spoken({ list, isBusy, onRead }: SpokenProps) {
  return (
    <span className="flex flex-wrap items-center gap-3">
      MCP {VERSIONS[list.era]}
      <Button size="small" isBusy={isBusy} onClick={() => onRead()}>
        List again
      </Button>
    </span>
  );
}

interface RefusedProps {
  readonly error: unknown;
  readonly target: Target;
  readonly onRetry: () => void;
}

/** Where there is no list: the answer that came instead, or why none came. */
function Refused({ error, target, onRetry }: RefusedProps) {
  if (!(error instanceof CallRefused)) return <Problem error={error} onRetry={onRetry} />;
  return (
    <div className="grid gap-3 pb-4">
      <Answered exchange={error.exchange} target={target} />
      <div className="px-4">
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}
