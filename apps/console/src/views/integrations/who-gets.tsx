import type { Application, Integration } from '@gatehouse/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { applicationQuery } from '../applications/queries.ts';
import { usersQuery } from './queries.ts';

/** Who gets a credential of an integration that only stores them, and which, in sentences. */
export function handedOutTo(authMode: string | undefined): string {
  const which =
    authMode === 'server_token'
      ? 'It gets the shared token when it acts for itself, and only an admin may attach it.'
      : 'It gets the credential of the person who has signed in to it, and no other.';
  return `A confidential application with the scope credentials that this is attached to. ${which} Rules about people hold too. It asks again every five minutes, so that access can be ended.`;
}

/** The number of applications that are looked at one by one. */
const MOST = 20;

/** The attached applications, and whether each is handed what the integration holds. */
export function WhoGets({ integration: { id, authMode } }: { integration: Integration }) {
  const users = useQuery(usersQuery(id));
  const edges = users.data?.edges ?? [];
  const applications = useQueries({
    queries: edges.slice(0, MOST).map(({ applicationId }) => applicationQuery(applicationId)),
  });
  const known = applications.flatMap(({ data }) => (data === undefined ? [] : [data.application]));
  return (
    <Panel title="Who may get what it holds">
      <p className="px-4 pt-3 pb-2 text-ink-2">{handedOutTo(authMode)}</p>
      <Load query={users} skeleton={<SkeletonText />}>
        {() =>
          edges.length === 0 ? (
            <Empty sentence="It is attached to no application, so nobody gets it yet. Attach it in the view of an application." />
          ) : (
            <ul>
              {known.map((application) => (
                <Recipient key={application.id} application={application} />
              ))}
              {edges.length > MOST && (
                <li className="px-4 py-2.5 text-ink-2">
                  And {edges.length - MOST} more, under Applications.
                </li>
              )}
            </ul>
          )
        }
      </Load>
    </Panel>
  );
}

function Recipient({ application: { id, name, oauth } }: { application: Application }) {
  const reason = whyNot(oauth);
  return (
    <li className="grid gap-0.5 border-t border-line px-4 py-2.5">
      <Link to="/applications/$id" params={{ id }} className="foreign w-fit font-medium underline">
        {name}
      </Link>
      {reason === undefined ? (
        <Status tone="ok">May get it</Status>
      ) : (
        <>
          <Status tone="idle">Does not get it</Status>
          <span className="text-12 text-ink-2">{reason}</span>
        </>
      )}
    </li>
  );
}

function whyNot(oauth: Application['oauth']): string | undefined {
  if (oauth?.type !== 'confidential') return 'It is no confidential client.';
  return oauth.scopes.includes('credentials') ? undefined : 'It lacks the scope credentials.';
}
