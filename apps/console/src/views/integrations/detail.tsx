import { authModeLabels } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sentenceOf } from '../../api/labels.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Load } from '../../components/load.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { SkeletonRows, SkeletonText } from '../../components/skeleton.tsx';
import { TabCount, Tabs, tabClass } from '../../components/tabs.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { countOf } from '../pages.ts';
import { useArchiving } from './archiving.ts';
import { nextStepOf } from './next-step.ts';
import { Overview } from './overview.tsx';
import {
  integrationQuery,
  promptsQuery,
  resourcesQuery,
  toolsQuery,
  usersQuery,
} from './queries.ts';
import type { integrationTabs } from './search.ts';
import { hostOf } from './status.tsx';
import { useValidation } from './use-validation.ts';

const Connections = lazy(async () => ({
  default: (await import('./connections.tsx')).Connections,
}));
const History = lazy(async () => ({ default: (await import('../log/history.tsx')).History }));
const IntegrationPolicyPanel = lazy(async () => ({
  default: (await import('./policy.tsx')).IntegrationPolicyPanel,
}));
const Tools = lazy(async () => ({ default: (await import('./tools.tsx')).Tools }));
const Prompts = lazy(async () => ({ default: (await import('./listings.tsx')).Prompts }));
const Resources = lazy(async () => ({ default: (await import('./listings.tsx')).Resources }));
const UsedBy = lazy(async () => ({ default: (await import('./used-by.tsx')).UsedBy }));

const route = getRouteApi('/integrations/$id');
type Tab = (typeof integrationTabs)[number];

export function IntegrationDetail() {
  const { id } = route.useParams();
  const query = useQuery(integrationQuery(id));
  return (
    <Load isView query={query} skeleton={<SkeletonText lines={4} />}>
      {({ integration }) => <Detail key={id} integration={integration} />}
    </Load>
  );
}

function Detail({ integration }: { integration: Integration }) {
  const isAdmin = useIsAdmin();
  const { tab = 'overview' } = route.useSearch();
  const validation = useValidation(integration);
  const { name, url, authMode, archivedAt } = integration;
  return (
    <>
      <PageHead
        title={name}
        sentence={
          authMode === 'none'
            ? hostOf(url)
            : `${hostOf(url)}. ${sentenceOf(authModeLabels, authMode)}`
        }
        above={{ to: '/integrations', label: 'Integrations' }}
        actions={
          isAdmin && (
            <Actions
              integration={integration}
              isBusy={validation.isFetching}
              validate={validation.refetch}
            />
          )
        }
      />
      {archivedAt !== null && (
        <p className="mb-4 rounded-6 bg-warn-soft px-4 py-2.5">
          It is archived: the gateway does not serve it, and nothing of it can be changed until it
          is restored.
        </p>
      )}
      {isAdmin && <AdminTabs id={integration.id} chosen={tab} />}
      {(!isAdmin || tab === 'overview') && (
        <Overview integration={integration} validation={validation} />
      )}
      <Suspense fallback={<SkeletonRows rows={4} />}>
        {isAdmin && tab === 'tools' && <Tools integration={integration} />}
        {isAdmin && tab === 'prompts' && <Prompts id={integration.id} />}
        {isAdmin && tab === 'resources' && <Resources id={integration.id} />}
        {isAdmin && tab === 'connections' && <Connections integration={integration} />}
        {isAdmin && tab === 'applications' && <UsedBy integrationId={integration.id} />}
        {isAdmin && tab === 'policy' && <IntegrationPolicyPanel integration={integration} />}
        {isAdmin && tab === 'history' && <History of={{ integrationId: integration.id }} />}
      </Suspense>
    </>
  );
}

function AdminTabs({ id, chosen }: { id: string; chosen: Tab }) {
  const tools = useInfiniteQuery(toolsQuery(id));
  const prompts = useInfiniteQuery(promptsQuery(id));
  const resources = useInfiniteQuery(resourcesQuery(id));
  const users = useQuery(usersQuery(id));
  const tabs = [
    { tab: 'overview', label: 'Overview', count: undefined },
    { tab: 'tools', label: 'Tools', count: countOf(tools.data) },
    { tab: 'prompts', label: 'Prompts', count: countOf(prompts.data) },
    { tab: 'resources', label: 'Resources', count: countOf(resources.data) },
    { tab: 'connections', label: 'Connections', count: undefined },
    { tab: 'applications', label: 'Applications', count: users.data?.edges.length },
    { tab: 'policy', label: 'Policy', count: undefined },
    { tab: 'history', label: 'History', count: undefined },
  ] as const;
  return (
    <Tabs label="Parts of the integration">
      {tabs.map(({ tab, label, count }) => (
        <Link
          key={tab}
          from="/integrations/$id"
          search={{ tab: tab === 'overview' ? undefined : tab }}
          activeOptions={{ exact: true }}
          aria-current={tab === chosen ? 'page' : 'false'}
          className={tabClass}
        >
          {label}
          <TabCount count={count} />
        </Link>
      ))}
    </Tabs>
  );
}

interface ActionsProps {
  readonly integration: Integration;
  readonly isBusy: boolean;
  readonly validate: () => void;
}

function Actions({ integration, isBusy, validate }: ActionsProps) {
  const { id, archivedAt } = integration;
  const navigate = route.useNavigate();
  const nextStep = nextStepOf(integration);
  const { archive, restore } = useArchiving(integration);
  if (archivedAt !== null) {
    return (
      <Button look="primary" isBusy={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
    );
  }
  return (
    <>
      <Menu
        align="end"
        label="More actions"
        className={`${buttonClass()} px-2`}
        trigger={<Icon name="more" />}
      >
        {nextStep === 'connect' && (
          <MenuItem onSelect={() => navigate({ to: '/connections', search: { connect: id } })}>
            Connect your account
          </MenuItem>
        )}
        {integration.authMode === 'oauth' && (
          <MenuItem onSelect={() => navigate({ search: { client: true } })}>
            Enter a client
          </MenuItem>
        )}
        <MenuItem onSelect={() => archive.mutate()}>Archive</MenuItem>
      </Menu>
      <Link to="/integrations/$id/edit" params={{ id }} className={buttonClass()}>
        Edit
      </Link>
      <Button
        look={nextStep === undefined ? 'primary' : 'secondary'}
        isBusy={isBusy}
        onClick={validate}
      >
        {isBusy ? 'Validating…' : 'Validate again'}
      </Button>
    </>
  );
}
