import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useIsAdmin } from '../../shell/me.ts';
import { REFUSED } from '../log/search.ts';
import { callsText } from '../usage/labels.ts';
import { lastDayQuery } from '../usage/queries.ts';
import { type Need, SMALL } from './need.ts';

/** Calls of the last 24 hours that were refused; undefined while they are not known. */
export function useRefusedCalls(): Need[] | undefined {
  const isAdmin = useIsAdmin();
  const { data, isLoading } = useQuery(lastDayQuery());
  if (isLoading) return undefined;
  const [all] = data?.series ?? [];
  const refusals = all?.total.refusals ?? 0;
  if (refusals === 0) return [];
  const refused = `${callsText(refusals)} ${isAdmin ? '' : 'of yours '}`;
  return [
    {
      key: 'refused calls',
      tone: 'idle',
      title: `${refused}${refusals === 1 ? 'was' : 'were'} refused`,
      sentence: 'In the last 24 hours, by rules or limits, for a missing credential or their form.',
      action: isAdmin ? <InLog from={all?.points[0]?.at} /> : <InUsage />,
    },
  ];
}

function InLog({ from }: { from: string | undefined }) {
  return (
    <Link to="/activity/log" search={{ kind: 'call', outcome: REFUSED, from }} className={SMALL}>
      See why
    </Link>
  );
}

/** The log is for admins. */
function InUsage() {
  return (
    <Link to="/activity/usage" search={{ sort: '-refused' }} className={SMALL}>
      See where
    </Link>
  );
}
