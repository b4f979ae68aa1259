import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../components/icon.tsx';

interface Destination {
  readonly to: '/' | '/integrations' | '/connections' | '/applications';
  readonly label: string;
  readonly icon: IconName;
}

const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/integrations', label: 'Integrations', icon: 'plug' },
  { to: '/connections', label: 'My connections', icon: 'key' },
  { to: '/applications', label: 'Applications', icon: 'application' },
];

const ITEM =
  'flex h-8 items-center gap-2.5 rounded-6 px-2 font-medium text-ink-2 hover:bg-hover hover:text-ink';
const CHOSEN =
  'aria-[current=page]:bg-panel aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_0_0_1px_var(--line)] aria-[current=page]:[&_svg]:text-accent';

export function Navigation() {
  return (
    <nav aria-label="Console" className="grid gap-px">
      {DESTINATIONS.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          className={`${ITEM} ${CHOSEN}`}
        >
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}
