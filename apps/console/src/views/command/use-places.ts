import { useNavigate } from '@tanstack/react-router';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { destinationsOf } from '../../shell/navigation.tsx';
import { keysTo } from './shortcuts.ts';

/** The views, and parts of them. */
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
  const part = (id: '/activity/log' | '/activity/usage', label: string): Command => ({
    id,
    label,
    icon: 'pulse',
    run: () => void navigate({ to: id }),
  });
  const usage = part('/activity/usage', 'Usage');
  const log = part('/activity/log', 'Log: who did what');
  return { label: 'Go to', items: isAdmin ? [...items, log, usage] : [...items, usage] };
}
