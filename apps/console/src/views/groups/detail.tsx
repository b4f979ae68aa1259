import type { Group } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { Load } from '../../components/load.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Mono } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { AdminsOnly } from '../../shell/admins-only.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { GroupMembers } from './members.tsx';
import { NamedAt } from './named-at.tsx';
import { groupPoliciesQuery, groupQuery } from './queries.ts';

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }));
const DeleteDialog = lazy(async () => ({
  default: (await import('./delete-dialog.tsx')).DeleteDialog,
}));

const route = getRouteApi('/groups/$id');

export function GroupDetail() {
  const { id } = route.useParams();
  const isAdmin = useIsAdmin();
  const query = useQuery({ ...groupQuery(id), enabled: isAdmin });
  if (!isAdmin) return <AdminsOnly title="Group" />;
  return (
    <Load query={query} skeleton={<SkeletonText lines={4} />}>
      {(read) => <Detail key={id} {...read} />}
    </Load>
  );
}

/** The policies that hold for the group. */
function Naming({ id }: { id: string }) {
  const query = useQuery(groupPoliciesQuery(id));
  return (
    <Panel title="Where it is named">
      <Load query={query} skeleton={<SkeletonText lines={1} />}>
        {(named) =>
          named.policies.length === 0 ? (
            <Empty sentence="No policy names it." />
          ) : (
            <div className="px-4 py-3">
              <NamedAt {...named} />
            </div>
          )
        }
      </Load>
    </Panel>
  );
}

interface DetailProps {
  readonly group: Group;
  readonly etag: string | undefined;
}

function Detail({ group, etag }: DetailProps) {
  const [asked, setAsked] = useState<'edit' | 'delete' | 'add'>();
  const close = () => setAsked(undefined);
  const { name, externalId } = group;
  return (
    <>
      <PageHead
        title={name}
        sentence={
          externalId === null
            ? 'A policy that names the group holds for these people.'
            : 'The identity provider decides who is in the group, at each sign-in.'
        }
        above={{ to: '/groups', label: 'Groups' }}
        actions={
          <>
            <Menu
              align="end"
              label="More actions"
              className={`${buttonClass()} px-2`}
              trigger={<Icon name="more" />}
            >
              <MenuItem onSelect={() => setAsked('delete')}>Delete</MenuItem>
            </Menu>
            <Button onClick={() => setAsked('edit')}>Edit</Button>
            {externalId === null && (
              <Button look="primary" onClick={() => setAsked('add')}>
                <Icon name="plus" />
                Add people
              </Button>
            )}
          </>
        }
      />
      {externalId !== null && (
        <p className="foreign mb-4 rounded-6 bg-sunken px-4 py-2.5">
          Members follow the claim <Mono>{externalId}</Mono> of the identity provider, so they are
          not changed here. Change them there, or remove the external id from the group.
        </p>
      )}
      <div className="grid gap-4">
        <GroupMembers group={group} isAdding={asked === 'add'} onAdd={setAsked} onAdded={close} />
        <Naming id={group.id} />
      </div>
      <Suspense fallback={null}>
        {asked === 'edit' && <EditDialog read={{ group, etag }} onClose={close} />}
        {asked === 'delete' && <DeleteDialog group={group} etag={etag} onClose={close} />}
      </Suspense>
    </>
  );
}
