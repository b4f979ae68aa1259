import type { AggregateState, Application, AttachedIntegration } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Load } from '../../components/load.tsx';
import { Mono } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { exampleOf } from './exposed-example.ts';
import { LeftOut } from './left-out.tsx';
import { ListState } from './list-state.tsx';
import { aggregateQuery } from './queries.ts';

const AliasDialog = lazy(async () => ({
  default: (await import('./alias-dialog.tsx')).AliasDialog,
}));

interface Row {
  readonly integration: AttachedIntegration;
  readonly listed: AggregateState['integrations'][number];
}

/** @param change undefined where the application cannot be changed */
function columnsFor(
  change: ((integration: AttachedIntegration) => void) | undefined,
): Column<Row, ReactNode>[] {
  return [
    {
      id: 'name',
      header: 'Integration',
      cell: ({ integration: { name, alias } }) => (
        <span className="grid gap-0.5 py-1.5">
          <span className="foreign font-medium">{name}</span>
          <span className="text-12 text-ink-2">
            <Mono>search</Mono> is <Mono>{exampleOf(alias)}</Mono>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'For you',
      cell: ({ integration, listed: { state, counts } }) => (
        <ListState id={integration.id} state={state} listed={countsOf(counts)} />
      ),
    },
    {
      id: 'change',
      header: 'Change',
      align: 'right',
      cell: ({ integration }) =>
        change && (
          <Button
            size="small"
            aria-label={`Change the alias of ${integration.name}`}
            onClick={() => change(integration)}
          >
            Alias
          </Button>
        ),
    },
  ];
}

/** What was never listed has no number. */
function countsOf({ tools, prompts, resources, resourceTemplates }: Row['listed']['counts']) {
  const parts = [
    [tools, 'tool', 'tools'],
    [prompts, 'prompt', 'prompts'],
    [resources + resourceTemplates, 'resource', 'resources'],
  ] as const;
  const some = parts.filter(([count]) => count > 0);
  if (some.length === 0) return 'It lists nothing.';
  return some.map(([count, one, more]) => `${count} ${count === 1 ? one : more}`).join(', ');
}

/** The one URL of an application: what it lists for the person who looks, under which names, and what it leaves out. */
export function OneUrl({ application }: { application: Application }) {
  const { id, name, mcpUrl, integrations, canModify } = application;
  const query = useQuery({ ...aggregateQuery(id), enabled: mcpUrl !== null });
  const [changing, setChanging] = useState<AttachedIntegration>();
  if (mcpUrl === null) return null;
  const byId = new Map(integrations.map((integration) => [integration.id, integration]));
  return (
    <Panel title="All of them by one URL">
      <div className="grid gap-2 border-b border-line px-4 py-3">
        <p className="text-ink-2">
          A client that has this URL uses all of them as one server, each with the person’s own
          account. The names of their tools begin with their aliases.
        </p>
        <Code text={mcpUrl} label={`the one URL of ${name}`} />
      </div>
      <Load query={query} skeleton={<SkeletonRows rows={3} />}>
        {({ integrations: listed, leftOut }) => (
          <>
            <DataTable
              caption="Integrations at the one URL"
              columns={columnsFor(canModify ? setChanging : undefined)}
              rows={listed.flatMap((each) => {
                const integration = byId.get(each.id);
                return integration ? [{ integration, listed: each }] : [];
              })}
              rowKey={({ integration }) => integration.id}
            />
            {leftOut.length > 0 && (
              <LeftOut leftOut={leftOut} nameOf={(each) => byId.get(each)?.name ?? each} />
            )}
          </>
        )}
      </Load>
      {changing !== undefined && (
        <Suspense>
          <AliasDialog
            applicationId={id}
            integration={changing}
            onClose={() => setChanging(undefined)}
          />
        </Suspense>
      )}
    </Panel>
  );
}
