import { useNavigate } from '@tanstack/react-router';
import type { CommandGroup } from '../../components/command-dialog.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { destinationsOf } from '../../shell/navigation.tsx';
import { keysTo } from './shortcuts.ts';

/** The views. */
export function usePlaces(): CommandGroup {
  const navigate = useNavigate();
  const items = destinationsOf(useIsAdmin()).map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    keys: keysTo(to),
    run: () => void navigate({ to }),
  }));
  return { label: 'Go to', items };
}
