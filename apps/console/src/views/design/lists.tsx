import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar, FilterToggle, SearchField } from '../../components/filter-bar.tsx';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { TabCount, Tabs, tabClass } from '../../components/tabs.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { LONG } from './samples.ts';
import { Specimen } from './specimen.tsx';

const ROWS = [
  { name: 'Linear', calls: 1204, note: 'Valid' },
  { name: LONG, calls: 9, note: LONG },
];

const COLUMNS: readonly Column<(typeof ROWS)[number], ReactNode>[] = [
  { id: 'name', header: 'Sorts', sortBy: ({ name }) => name, cell: ({ name }) => name },
  { id: 'calls', header: 'At the right', align: 'right', cell: ({ calls }) => calls },
  { id: 'note', header: 'Left out below 860 px', isOptional: true, cell: ({ note }) => note },
  { id: 'more', header: 'More', isHeaderHidden: true, cell: () => 'Header not seen' },
];

const pages = (isFetchingNextPage: boolean) => ({
  error: null,
  hasNextPage: true,
  isFetchingNextPage,
  fetchNextPage: () => undefined,
});

export function Lists() {
  const [sort, setSort] = useState<string | undefined>('name');
  const [text, setText] = useState('');
  const [isOn, setOn] = useState(true);
  const [status, setStatus] = useState<'valid' | 'invalid' | undefined>('valid');
  const [mode, setMode] = useState<'oauth'>();
  return (
    <>
      <Specimen
        of={['FilterBar', 'SearchField', 'FilterChoice', 'FilterToggle', 'DataTable', 'MorePages']}
      >
        <Panel>
          <FilterBar>
            <SearchField label="Search names" value={text} onChange={setText} />
            <FilterChoice
              label="Status"
              value={status}
              options={[
                ['valid', 'Valid'],
                ['invalid', 'Invalid'],
              ]}
              onChange={setStatus}
            />
            <FilterChoice
              label="Connect by"
              value={mode}
              options={[['oauth', 'OAuth']]}
              onChange={setMode}
            />
            <FilterToggle isOn={isOn} onChange={setOn}>
              On
            </FilterToggle>
            <FilterToggle isOn={!isOn} onChange={(value) => setOn(!value)}>
              Off
            </FilterToggle>
          </FilterBar>
          <DataTable
            caption="A table"
            columns={COLUMNS}
            rows={ROWS}
            rowKey={({ name }) => name}
            sort={sort}
            onSort={setSort}
          />
          <MorePages query={pages(false)} loaded={100} of="integrations" isSearchOfAll />
          <MorePages query={pages(true)} loaded={100} of="people" isSearchOfAll={false} />
        </Panel>
      </Specimen>
      <Specimen of={['VirtualRows']}>
        <Panel>
          <table className="w-full">
            <caption className="sr-only">Rows near the window</caption>
            <VirtualRows rows={ROWS} rowKey={({ name }) => name}>
              {({ name, note }, index, ref) => (
                <tr key={name} ref={ref} data-index={index}>
                  <td className="h-11 px-4">{name}</td>
                  <td className="px-4">{note}</td>
                </tr>
              )}
            </VirtualRows>
          </table>
        </Panel>
      </Specimen>
      <Specimen of={['Tabs', 'TabCount']}>
        <Tabs label="Parts of the design view">
          {(['First', 'Second', 'Third'] as const).map((name, place) => (
            <Link
              key={name}
              to="."
              hash={name}
              aria-current={place === 0 ? 'page' : 'false'}
              className={tabClass}
            >
              {name}
              <TabCount count={place === 1 ? 12 : undefined} />
            </Link>
          ))}
        </Tabs>
      </Specimen>
    </>
  );
}
