import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../components/icon.tsx';
import { useIsAdmin } from './me.ts';

export interface Destination {
  readonly to:
    | '/'
    | '/integrations'
    | '/connections'
    | '/applications'
    | '/activity'
    | '/playground'
    | '/tokens'
    | '/access'
    | '/people'
    | '/groups'
    | '/settings';
  readonly label: string;
  readonly icon: IconName;
}

const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/integrations', label: 'Integrations', icon: 'plug' },
  { to: '/connections', label: 'My connections', icon: 'key' },
  { to: '/applications', label: 'Applications', icon: 'application' },
  { to: '/activity', label: 'Activity', icon: 'pulse' },
  { to: '/playground', label: 'Playground', icon: 'play' },
  { to: '/tokens', label: 'My tokens', icon: 'token' },
];

const ORGANIZATION: readonly Destination[] = [
  { to: '/access', label: 'Access', icon: 'graph' },
  { to: '/people', label: 'People', icon: 'people' },
  { to: '/groups', label: 'Groups', icon: 'group' },
  { to: '/settings', label: 'Settings', icon: 'settings' },
];

const ITEM =
  'flex h-8 items-center gap-2.5 rounded-6 px-2 font-medium text-ink-2 hover:bg-hover hover:text-ink';
const CHOSEN =
  'aria-[current=page]:bg-panel aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_0_0_1px_var(--line)] aria-[current=page]:[&_svg]:text-accent';

/** The views that the person may open. */
export function destinationsOf(isAdmin: boolean): readonly Destination[] {
  return isAdmin ? [...DESTINATIONS, ...ORGANIZATION] : DESTINATIONS;
}

export function Navigation() {
  const isAdmin = useIsAdmin();
  return (
    <nav aria-label="Console" className="grid gap-px">
      <Links to={DESTINATIONS} />
      {isAdmin && (
        <>
          <h2 className="mt-4 px-2 pb-1 text-12 font-medium text-ink-3">Organization</h2>
          <Links to={ORGANIZATION} />
        </>
      )}
    </nav>
  );
}

function Links({ to: destinations }: { to: readonly Destination[] }) {
  return destinations.map(({ to, label, icon }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={`${ITEM} ${CHOSEN}`}
    >
      <Icon name={icon} />
      {label}
    </Link>
  ));
}
