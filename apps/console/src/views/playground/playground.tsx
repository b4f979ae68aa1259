import type { Application } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useMe } from '../../shell/me.ts';
import { applicationQuery } from '../applications/queries.ts';
import { applicationDirectory } from '../directory.ts';
import { Chooser } from './chooser.tsx';
import { ListedOf } from './listed-of.tsx';
import { ALL } from './search.ts';
import type { Target } from './target.ts';

const route = getRouteApi('/playground');

export function Playground() {
  const query = useQuery(applicationDirectory(useMe()));
  return (
    <>
      <PageHead
        title="Playground"
        sentence="Call a tool through the gateway as yourself, and see what goes over the wire."
      />
      <Load query={query} skeleton={<SkeletonText />} isView>
        {({ entries }) =>
          entries.length === 0 ? <NoApplications /> : <WithApplications entries={entries} />
        }
      </Load>
    </>
  );
}

function NoApplications() {
  return (
    <Panel>
      <Empty
        sentence="Calls go through an application, and you do not have one yet."
        action={
          <Link to="/applications/new" className={buttonClass('primary')}>
            Add application
          </Link>
        }
      />
    </Panel>
  );
}

interface WithApplicationsProps {
  readonly entries: readonly { readonly id: string; readonly name: string }[];
}

function WithApplications({ entries }: WithApplicationsProps) {
  const { application: id } = route.useSearch();
  return (
    <div className="grid gap-4">
      {id === undefined ? (
        <Panel>
          <Chooser applications={entries} integrations={undefined} hasOneUrl={false} />
          <p className="px-4 pb-4 text-ink-2">
            Choose an application and an integration to see what you can call.
          </p>
        </Panel>
      ) : (
        <WithApplication key={id} id={id} entries={entries} />
      )}
    </div>
  );
}

function WithApplication({ id, entries }: WithApplicationsProps & { readonly id: string }) {
  const query = useQuery(applicationQuery(id));
  const { integration, era } = route.useSearch();
  const application = query.data?.application;
  const callable = application === undefined ? [] : callableOf(application);
  const hasOneUrl = callable.length > 0 && application?.mcpUrl != null;
  const target = application && targetOf(application, callable, integration);
  return (
    <>
      <Panel>
        <Chooser
          applications={entries}
          integrations={query.data && callable}
          hasOneUrl={hasOneUrl}
        />
        <Load query={query} skeleton={<SkeletonText lines={1} />}>
          {() => <Missing hasSome={callable.length > 0} isChosen={target !== undefined} id={id} />}
        </Load>
      </Panel>
      {target !== undefined && (
        <ListedOf key={`${target.mcpUrl} ${era}`} target={target} era={era} />
      )}
    </>
  );
}

interface Callable {
  readonly id: string;
  readonly name: string;
  readonly mcpUrl: string;
}

function callableOf({ integrations }: Application): Callable[] {
  return integrations.flatMap(({ id, name, mcpUrl, archivedAt }) =>
    mcpUrl === null || archivedAt !== null ? [] : [{ id, name, mcpUrl }],
  );
}

/** @param chosen an id, or all of them */
function targetOf(
  { name, mcpUrl }: Application,
  callable: readonly Callable[],
  chosen: string | undefined,
): Target | undefined {
  if (chosen !== ALL) {
    const one = callable.find(({ id }) => id === chosen);
    return one && { mcpUrl: one.mcpUrl, name: one.name, integrations: undefined };
  }
  if (mcpUrl === null || callable.length === 0) return undefined;
  return { mcpUrl, name, integrations: new Map(callable.map((each) => [each.id, each.name])) };
}

interface MissingProps {
  readonly hasSome: boolean;
  readonly isChosen: boolean;
  /** Of the application. */
  readonly id: string;
}

/** What is needed before anything can be called. */
function Missing({ hasSome, isChosen, id }: MissingProps) {
  if (isChosen) return null;
  if (hasSome) return <p className="px-4 pb-4 text-ink-2">Choose an integration.</p>;
  return (
    <Empty
      sentence="No integration that can be called through the gateway is attached to this application."
      action={
        <Link
          to="/applications/$id"
          params={{ id }}
          search={{ tab: 'integrations' }}
          className={buttonClass('primary')}
        >
          Attach an integration
        </Link>
      }
    />
  );
}
