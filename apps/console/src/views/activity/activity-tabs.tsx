import { Link } from '@tanstack/react-router';
import { Tabs, tabClass } from '../../components/tabs.tsx';
import { useIsAdmin } from '../../shell/me.ts';

const SESSIONS = { to: '/activity', label: 'Sessions' } as const;
const LOG = { to: '/activity/log', label: 'Log' } as const;

const OF_ADMINS = [SESSIONS, LOG] as const;
const OF_MEMBERS = [SESSIONS] as const;

/** The parts of the activity. A member who has one part alone needs no way to it. */
export function ActivityTabs() {
  const tabs = useIsAdmin() ? OF_ADMINS : OF_MEMBERS;
  if (tabs.length === 1) return null;
  return (
    <Tabs label="Parts of the activity">
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className={tabClass}
        >
          {label}
        </Link>
      ))}
    </Tabs>
  );
}
