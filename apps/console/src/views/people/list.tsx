import { memberRoleLabels } from '@gatehouse/contract';
import type { Member } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { optionsOf } from '../../api/keys-of.ts';
import { Button } from '../../components/button.tsx';
import { FilterBar, SearchField } from '../../components/filter-bar.tsx';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { ExportButton } from '../export-button.tsx';
import { hasWords } from '../has-words.ts';
import { LoadedTable } from '../loaded-table.tsx';
import { NothingFound } from '../nothing-found.tsx';
import { type Action, columnsOf } from './columns.tsx';
import { readMembers } from './export.ts';
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
  const isShown = (member: Member) =>
    hasWords(find, member.name, member.email) && (role === undefined || member.role === role);
  return (
    <>
      <PageHead
        title="People"
        sentence="Who belongs to the organization, and what each of them may do."
        actions={
          <>
            <ExportButton name="people" read={() => readMembers(isShown)} />
            <Button look="primary" onClick={() => setInviting(true)}>
              <Icon name="plus" />
              Invite
            </Button>
          </>
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
        <LoadedTable
          query={query}
          caption="People"
          columns={columns}
          isShown={isShown}
          sort={sort}
          onSort={(value) => change({ sort: value })}
          // There is always someone: the person who looks.
          empty={() => (
            <NothingFound
              sentence="Nobody matches these filters."
              hasMore={query.hasNextPage}
              to="/people"
            />
          )}
          of="people"
          isSearchOfAll={false}
        />
      </Panel>
      <Suspense fallback={null}>
        {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
        {asked !== undefined && <MemberDialog {...asked} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </>
  );
}
