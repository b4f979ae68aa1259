import type { Application, SessionsFilter, WhatIfChange } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { useIsAdmin } from '../../shell/me.ts';
import { countOf, Ended } from '../activity/ended.tsx';
import { endPreviewQuery } from '../activity/queries.ts';
import { Previewed } from './previewed.tsx';
import { WhoLoses } from './who-loses.tsx';

interface WhatEndsProps {
  readonly application: Application;
  /** The only integration of which something ends. */
  readonly integrationId?: string;
  /** What takes access from people, if anything does. */
  readonly change?: WhatIfChange;
}

/** What works through an application now, and stops with it. Admins see the people. */
export function WhatEnds({ application, integrationId, change }: WhatEndsProps) {
  const isAdmin = useIsAdmin();
  if (!isAdmin) {
    if (integrationId === undefined) return <OpenSessions application={application} />;
    return <p className="text-ink-2">Only admins can see who loses access.</p>;
  }
  return (
    <>
      {change !== undefined && <WhoLoses change={change} />}
      <EndingSessions filter={{ applicationId: application.id, integrationId, state: 'open' }} />
    </>
  );
}

function EndingSessions({ filter }: { filter: SessionsFilter }) {
  const query = useQuery(endPreviewQuery(filter));
  return (
    <Previewed query={query} unknown="It is not known which sessions would end.">
      {({ ended, items }) =>
        countOf(ended) === 0 ? (
          <p>No session is open now.</p>
        ) : (
          <section aria-label="What ends" className="grid gap-3">
            <Ended ended={ended} items={items} />
          </section>
        )
      }
    </Previewed>
  );
}

/** What an owner who is no admin may know: a number, without the people. */
function OpenSessions({ application }: { application: Application }) {
  const { activeSessionCount, idleSessionCount, liveSessionCount } = application;
  const open = activeSessionCount + idleSessionCount;
  return (
    <p>
      {open === 0
        ? 'No session is open now.'
        : `${open === 1 ? '1 open session ends' : `${open} open sessions end`}, ${liveSessionCount} of them with a request in flight.`}{' '}
      Only admins see the people.
    </p>
  );
}
