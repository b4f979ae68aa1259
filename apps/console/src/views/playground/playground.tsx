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
import { Tools } from './tools.tsx';

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
        sentence="A call goes through an application, and you have none yet."
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
          <Chooser applications={entries} integrations={undefined} />
          <p className="px-4 pb-4 text-ink-2">
            Choose what to call, and its tools are listed here.
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
  const attached = query.data?.application.integrations ?? [];
  const callable = attached.flatMap(({ id: each, name, mcpUrl, archivedAt }) =>
    mcpUrl === null || archivedAt !== null ? [] : [{ id: each, name, mcpUrl }],
  );
  const chosen = callable.find((each) => each.id === integration);
  return (
    <>
      <Panel>
        <Chooser applications={entries} integrations={query.data && callable} />
        <Load query={query} skeleton={<SkeletonText lines={1} />}>
          {() => <Missing hasSome={callable.length > 0} isChosen={chosen !== undefined} id={id} />}
        </Load>
      </Panel>
      {chosen !== undefined && (
        <Tools
          key={`${chosen.mcpUrl} ${era}`}
          mcpUrl={chosen.mcpUrl}
          name={chosen.name}
          era={era}
        />
      )}
    </>
  );
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
      sentence="Nothing that is called through the gateway is attached to this application."
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
