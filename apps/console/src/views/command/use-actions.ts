import { useNavigate } from '@tanstack/react-router';
import type { Command, CommandGroup } from '../../components/command-dialog.tsx';
import { signOut } from '../../shell/leave.ts';
import { useIsAdmin } from '../../shell/me.ts';
import { applyTheme, themeLabels, themes, useTheme } from '../../shell/theme.ts';
import type { Overlay } from './overlays.tsx';

/** What can be done wherever one is. */
export function useActions(onShow: (overlay: Overlay) => void): CommandGroup {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const theme = useTheme();
  const command = (label: string, icon: Command['icon'], run: () => void) => ({
    ...{ id: label, label, icon, run },
  });
  const items: Command[] = [
    command('Add application', 'plus', () => void navigate({ to: '/applications/new' })),
    command('Create token', 'plus', () => onShow('token')),
    ...themes
      .filter((each) => each !== theme)
      .map((each) =>
        command(`Theme: ${themeLabels[each].toLowerCase()}`, 'screen', () => applyTheme(each)),
      ),
    { ...command('Keyboard shortcuts', 'menu', () => onShow('shortcuts')), keys: ['?'] },
    command('Account', 'people', () => location.assign('/account')),
    command('Sign out', 'open', signOut),
  ];
  const ofAdmins: Command[] = [
    command('Add integration', 'plus', () => void navigate({ to: '/integrations/new' })),
    command('Invite someone', 'plus', () => onShow('invite')),
    command('Create group', 'plus', () => onShow('group')),
  ];
  return { label: 'Do', items: isAdmin ? [...ofAdmins, ...items] : items };
}
