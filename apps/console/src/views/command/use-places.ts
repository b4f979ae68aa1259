import { useNavigate } from '@tanstack/react-router';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { destinationsOf } from '../../shell/navigation.tsx';
import { keysTo } from './shortcuts.ts';

/** The views. */
export function usePlaces(): CommandGroup {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const items: Command[] = destinationsOf(isAdmin).map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    keys: keysTo(to),
    run: () => void navigate({ to }),
  }));
  const log: Command = {
    id: '/activity/log',
    label: 'Log: who did what',
    icon: 'pulse',
    run: () => void navigate({ to: '/activity/log' }),
  };
  return { label: 'Go to', items: isAdmin ? [...items, log] : items };
}
