import { Link } from '@tanstack/react-router';
import { Tabs, tabClass } from '../../components/tabs.tsx';
import { useIsAdmin } from '../../shell/me.ts';

const LOG = { to: '/activity/log', label: 'Log' } as const;
const OF_MEMBERS = [
  { to: '/activity/usage', label: 'Usage' },
  { to: '/activity', label: 'Sessions' },
] as const;
const OF_ADMINS = [LOG, ...OF_MEMBERS] as const;

/** What Activity has. */
export function ActivityTabs() {
  const tabs = useIsAdmin() ? OF_ADMINS : OF_MEMBERS;
  return (
    <Tabs label="Parts of Activity">
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
