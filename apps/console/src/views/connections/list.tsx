import type { Integration } from '@gatehouse/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { integrationQuery, integrationsQuery } from '../integrations/queries.ts';
import { itemsOf } from '../pages.ts';
import { ConnectionRow } from './row.tsx';
import { isBroken, isWorking } from './state.tsx';

const route = getRouteApi('/connections');

/** What a person connects with an account or a key, by how much it needs them. */
function groupsOf(integrations: readonly Integration[]) {
  const own = integrations.flatMap((integration) => {
    const { userConnection: connection } = integration;
    return connection === undefined ? [] : [{ integration, connection }];
  });
  return [
    { title: 'Needs you', entries: own.filter(({ connection }) => isBroken(connection)) },
    { title: 'Connected', entries: own.filter(({ connection }) => isWorking(connection)) },
    {
      title: 'Not connected',
      entries: own.filter(({ connection }) => !isBroken(connection) && !isWorking(connection)),
    },
  ].filter(({ entries }) => entries.length > 0);
}

export function Connections() {
  const { connect = '' } = route.useSearch();
  const query = useInfiniteQuery(integrationsQuery());
  // A link may name one that is not among those that are loaded.
  const isUnknown =
    connect !== '' &&
    query.data !== undefined &&
    itemsOf(query.data).every(({ id }) => id !== connect);
  const asked = useQuery({ ...integrationQuery(connect), enabled: isUnknown });
  return (
    <>
      <PageHead
        title="My connections"
        sentence="Your accounts and keys at integrations. Clients use them through Gatehouse and never see them."
      />
      <Load isView query={query} skeleton={<SkeletonRows />}>
        {(data) => {
          const loaded = itemsOf(data);
          return (
            <>
              {asked.error !== null && <Problem error={asked.error} />}
              <Groups integrations={withAsked(loaded, asked.data?.integration)} />
              <MorePages query={query} loaded={loaded.length} of="integrations" />
            </>
          );
        }}
      </Load>
    </>
  );
}

function withAsked(loaded: readonly Integration[], asked: Integration | undefined) {
  const isMissing = asked !== undefined && loaded.every(({ id }) => id !== asked.id);
  return isMissing ? [asked, ...loaded] : loaded;
}

function Groups({ integrations }: { integrations: readonly Integration[] }) {
  const { connect } = route.useSearch();
  const asked = useRef<HTMLLIElement>(null);
  const groups = groupsOf(integrations);
  const isThere = groups.some(({ entries }) =>
    entries.some(({ integration }) => integration.id === connect),
  );
  useEffect(() => {
    if (isThere) asked.current?.scrollIntoView({ block: 'center' });
  }, [isThere]);
  if (groups.length === 0) {
    return (
      <Panel>
        <Empty sentence="No integration needs your account or key. There is nothing to do here." />
      </Panel>
    );
  }
  return (
    <div className="grid gap-4">
      {groups.map(({ title, entries }) => (
        <Panel
          key={title}
          title={title}
          aside={<span className="tabular-nums">{entries.length}</span>}
        >
          <ul>
            {entries.map(({ integration, connection }) => (
              <ConnectionRow
                key={integration.id}
                ref={integration.id === connect ? asked : undefined}
                integration={integration}
                connection={connection}
                isAsked={integration.id === connect}
              />
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  );
}
