import { memberRoleLabels } from '@gatehouse/contract';
import { labelOf } from '../api/labels.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { signOut } from './leave.ts';
import { useMe } from './me.ts';
import { applyTheme, themeLabels, themes, useTheme } from './theme.ts';

const THEME_ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const;

/** Who is signed in, what the console looks like, and the way out. */
export function Person() {
  const { user, organization } = useMe();
  const initials = user.name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => [...part][0] ?? '')
    .join('')
    .toUpperCase();
  return (
    <div className="mt-auto grid gap-2 border-t border-line pt-2">
      <ThemeSwitch />
      <div className="flex items-center gap-2 px-2 py-1">
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-11 font-semibold text-accent"
        >
          {initials}
        </span>
        <span className="min-w-0 flex-1">
          <span className="foreign line-clamp-1">{user.name}</span>
          <span className="foreign line-clamp-1 text-12 text-ink-2">
            {labelOf(memberRoleLabels, user.role)}, {organization.name}
          </span>
        </span>
      </div>
      <div className="flex gap-1">
        <a href="/account" className={buttonClass('plain', 'small')}>
          Account
        </a>
        <Button look="plain" size="small" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </div>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <fieldset className="flex gap-px px-1">
      <legend className="sr-only">Theme</legend>
      {themes.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={theme === each}
          aria-label={themeLabels[each]}
          title={themeLabels[each]}
          onClick={() => applyTheme(each)}
          className="grid h-7 w-8 place-items-center rounded-6 text-ink-3 hover:text-ink aria-pressed:bg-panel aria-pressed:text-accent aria-pressed:shadow-[inset_0_0_0_1px_var(--line)]"
        >
          <Icon name={THEME_ICONS[each]} />
        </button>
      ))}
    </fieldset>
  );
}
