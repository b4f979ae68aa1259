import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { Tabs, tabClass } from '../../components/tabs.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { ActivityTabs } from '../activity/activity-tabs.tsx';
import { ExportButton } from '../export-button.tsx';
import { Charts } from './charts.tsx';
import { readTable } from './export.ts';
import { Filters } from './filters.tsx';
import { type Rows, rowLabels } from './labels.ts';
import { useSeriesNames } from './names.ts';
import { askedOf, type UsageAsked, usageQuery } from './queries.ts';
import type { UsageSearch } from './search.ts';
import { groupingOf, UsageTable } from './table.tsx';

const route = getRouteApi('/activity/usage');

/** How often, by whom and how fast integrations are called. */
export function Usage() {
  const isAdmin = useIsAdmin();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { rows = 'integration', sort } = search;
  const asked = askedOf(search, rows, isAdmin);
  const nameOf = useSeriesNames(rows);
  const change = useCallback(
    (changed: UsageSearch) =>
      navigate({ search: (present) => ({ ...present, ...changed }), replace: true }),
    [navigate],
  );
  return (
    <>
      <PageHead
        title="Activity"
        sentence={
          isAdmin
            ? 'How often, by whom and how fast integrations are called.'
            : 'How often and how fast you call integrations. Of an application of yours, choose it to see all calls.'
        }
        actions={
          <ExportButton name="usage" read={() => readTable(asked, groupingOf(rows), nameOf)} />
        }
      />
      <ActivityTabs />
      <Panel className="mb-4">
        <Filters search={search} change={change} />
        <Pictures asked={asked} />
      </Panel>
      <RowTabs chosen={rows} />
      <UsageTable
        asked={asked}
        rows={rows}
        sort={sort}
        onSort={(value) => void change({ sort: value })}
      />
    </>
  );
}

function Pictures({ asked }: { asked: UsageAsked }) {
  const query = useQuery(usageQuery(asked));
  return (
    <Load query={query} skeleton={<SkeletonText lines={4} />}>
      {({ step, series: [all] }) =>
        all === undefined || all.total.calls === 0 ? (
          <NoCalls />
        ) : (
          <Charts step={step} series={all} />
        )
      }
    </Load>
  );
}

function NoCalls() {
  return (
    <Empty
      sentence="No call of these ended in this time."
      action={
        <Link to="/activity/usage" search={{ span: 'month' }} className={buttonClass()}>
          Show all of the last 30 days
        </Link>
      }
    />
  );
}

/** People are for admins: members see themselves alone. */
function RowTabs({ chosen }: { chosen: Rows }) {
  const isAdmin = useIsAdmin();
  const tabs = optionsOf(rowLabels).filter(([rows]) => isAdmin || rows !== 'person');
  return (
    <Tabs label="What the table has rows for">
      {tabs.map(([rows, label]) => (
        <Link
          key={rows}
          from="/activity/usage"
          search={(search) => ({ ...search, rows, sort: undefined })}
          replace
          activeOptions={{ exact: true }}
          aria-current={rows === chosen ? 'page' : 'false'}
          className={tabClass}
        >
          {label}
        </Link>
      ))}
    </Tabs>
  );
}
