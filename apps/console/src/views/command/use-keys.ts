import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isWithModifier } from '../../components/keys.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { destinationsOf } from '../../shell/navigation.tsx';
import type { Overlay } from './overlays.tsx';
import { createKeyReader, keysTo, type Shortcut } from './shortcuts.ts';

/** Where keys are text, or choose from what is open. */
const TYPED =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"]';
const DIALOG = 'dialog, [role="dialog"], [role="alertdialog"]';

const isWithin = ({ target }: Event, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;

/** Listens to the shortcuts of the whole console. */
export function useKeys(
  shown: Overlay | undefined,
  onShow: (overlay: Overlay | undefined) => void,
): void {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  useEffect(() => {
    const read = createKeyReader();
    const shortcuts: readonly Shortcut[] = [
      ...destinationsOf(isAdmin).map(({ to }) => ({
        keys: keysTo(to),
        run: () => void navigate({ to }),
      })),
      { keys: ['?'], run: () => onShow('shortcuts') },
      { keys: ['/'], run: focusSearch },
    ];
    const toggleMenu = (event: KeyboardEvent) => {
      const isMenu = shown === 'menu';
      // A dialog may hold what was typed, so nothing opens above it.
      if (!isMenu && isWithin(event, DIALOG)) return;
      event.preventDefault();
      onShow(isMenu ? undefined : 'menu');
    };
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      if (event.key.toLowerCase() === 'k' && isWithModifier(event)) return toggleMenu(event);
      const isOne = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isOne || isWithin(event, `${TYPED}, ${DIALOG}`)) return;
      const found = read(event.key, event.timeStamp, shortcuts);
      if (found === undefined) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [shown, onShow, isAdmin, navigate]);
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#view input[type="search"]');
  field?.focus();
  field?.select();
}
