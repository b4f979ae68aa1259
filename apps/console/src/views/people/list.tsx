import { memberRoleLabels } from '@gatehouse/contract';
import type { Member } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterChoice, SearchField } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { hasWords } from '../has-words.ts';
import { itemsOf } from '../pages.ts';
import { type Action, columnsOf } from './columns.tsx';
import { membersQuery } from './queries.ts';

const InviteDialog = lazy(async () => ({
  default: (await import('./invite-dialog.tsx')).InviteDialog,
}));
const MemberDialog = lazy(async () => ({
  default: (await import('./member-dialog.tsx')).MemberDialog,
}));

const route = getRouteApi('/people');

export function People() {
  return useIsAdmin() ? <Members /> : <AdminsOnly title="People" />;
}

function Members() {
  const me = useMe();
  const { find, role, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(membersQuery);
  const [isInviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<{ action: Action; member: Member }>();
  const columns = useMemo(
    () => columnsOf(me, (action, member) => setAsked({ action, member })),
    [me],
  );
  const change = useCallback(
    (changed: ReturnType<typeof route.useSearch>) =>
      navigate({ search: (search) => ({ ...search, ...changed }), replace: true }),
    [navigate],
  );
  const search = useCallback((text: string) => change({ find: text || undefined }), [change]);
  return (
    <>
      <PageHead
        title="People"
        sentence="Who belongs to the organization, and what each of them may do."
        actions={
          <Button look="primary" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            Invite
          </Button>
        }
      />
      <Panel>
        <FilterBar>
          <SearchField label="Search names and addresses" value={find ?? ''} onChange={search} />
          <FilterChoice
            label="Role"
            value={role}
            options={optionsOf(memberRoleLabels)}
            onChange={(value) => change({ role: value })}
          />
        </FilterBar>
        <Load query={query} skeleton={<SkeletonRows />}>
          {(data) => {
            const loaded = itemsOf(data);
            const rows = loaded.filter(
              (member) =>
                hasWords(find, member.name, member.email) &&
                (role === undefined || member.role === role),
            );
            return (
              <>
                {rows.length > 0 ? (
                  <DataTable
                    caption="People"
                    columns={columns}
                    rows={rows}
                    rowKey={({ id }) => id}
                    sort={sort}
                    onSort={(value) => change({ sort: value })}
                  />
                ) : (
                  <NobodyFound />
                )}
                <MorePages query={query} loaded={loaded.length} of="people" isSearchOfAll={false} />
              </>
            );
          }}
        </Load>
      </Panel>
      <Suspense fallback={null}>
        {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
        {asked !== undefined && <MemberDialog {...asked} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </>
  );
}

/** There is always someone: who looks. */
function NobodyFound() {
  return (
    <Empty
      sentence="Nobody has all of this."
      action={
        <Link to="/people" className={buttonClass()}>
          Show all
        </Link>
      }
    />
  );
}
