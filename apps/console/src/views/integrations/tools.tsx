import { toolStateLabels } from '@gatehouse/contract';
import type { Integration, Tool } from '@gatehouse/sdk';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle } from '../../components/filter-bar.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { itemsOf } from '../pages.ts';
import { toolsQuery } from './queries.ts';
import { ToolRow } from './tool-row.tsx';

const route = getRouteApi('/integrations/$id');

/** The tools as the server listed them last, and which definitions of them are approved. */
export function Tools({ integration }: { integration: Integration }) {
  const { id } = integration;
  const query = useInfiniteQuery(toolsQuery(id));
  const isOpenOnly = route.useSearch().show === 'changed';
  const navigate = route.useNavigate();
  const setOpenOnly = (isOn: boolean) =>
    navigate({
      search: (search) => ({ ...search, show: isOn ? 'changed' : undefined }),
      replace: true,
    });
  const { approve, withdraw } = useApproval(id);
  return (
    <Panel>
      <Load query={query} skeleton={<SkeletonRows />}>
        {(data) => {
          const tools = itemsOf(data);
          const open = tools.filter(({ state }) => state !== 'approved');
          const rows = isOpenOnly ? open : tools;
          if (tools.length === 0) {
            return (
              <Empty sentence="No tools are known yet. They are kept whenever a client lists them, and by a validation." />
            );
          }
          return (
            <>
              <FilterBar>
                <FilterToggle isOn={isOpenOnly} onChange={setOpenOnly}>
                  New or changed {open.length}
                </FilterToggle>
                {open.length > 0 && (
                  <Button
                    size="small"
                    className="ml-auto"
                    isBusy={approve.isPending}
                    onClick={() => approve.mutate(open)}
                  >
                    Approve all {open.length}
                  </Button>
                )}
              </FilterBar>
              {rows.length === 0 && (
                <Empty
                  sentence={
                    query.hasNextPage
                      ? 'Every tool that is loaded is as an admin approved it.'
                      : 'Every tool is as an admin approved it.'
                  }
                />
              )}
              <ul>
                {rows.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    onApprove={() => approve.mutate([tool])}
                    onWithdraw={() => withdraw.mutate([tool])}
                  />
                ))}
              </ul>
              <MorePages
                query={query}
                loaded={tools.length}
                of="tools"
                note="The filter and approving all apply to them."
              />
            </>
          );
        }}
      </Load>
    </Panel>
  );
}

function useApproval(id: string) {
  const queries = useQueryClient();
  const call = (action: 'approve' | 'withdraw', tools: readonly Tool[]) =>
    gatehouse.request('POST', `/integrations/:id/tools/${action}`, {
      params: { id },
      body: {
        fingerprints: Object.fromEntries(tools.map(({ name, fingerprint }) => [name, fingerprint])),
      },
    });
  const renew = () => queries.invalidateQueries({ queryKey: ['integrations', 'tools', id] });
  const approve = useMutation({
    mutationFn: (tools: readonly Tool[]) => call('approve', tools),
    onSuccess: ({ changed }) => say(`${countOf(changed.length)} approved.`),
    onError: (error) => sayProblem('Nothing was approved.', error),
    onSettled: renew,
  });
  const withdraw = useMutation({
    mutationFn: (tools: readonly Tool[]) => call('withdraw', tools),
    onSuccess: (_changed, tools) => say('The approval is withdrawn.', () => approve.mutate(tools)),
    onError: (error) =>
      sayProblem(`It is still ${toolStateLabels.approved.label.toLowerCase()}.`, error),
    onSettled: renew,
  });
  return { approve, withdraw };
}

function countOf(count: number): string {
  return count === 1 ? '1 tool is' : `${count} tools are`;
}
