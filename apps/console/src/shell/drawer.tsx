import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Brand } from './brand.tsx';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';

/** The navigation below 860 px: behind a button, over the view, in the browser's own dialog. */
export function Drawer() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another view closes the drawer.
  useEffect(() => dialog.current?.close(), [pathname]);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        <Icon name="menu" />
        Menu
      </Button>
      <dialog
        ref={dialog}
        aria-label="Menu"
        className="fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-64 bg-sunken text-ink shadow-pop backdrop:bg-veil"
      >
        <div className="flex min-h-full flex-col gap-4 px-2 py-3">
          <div className="flex items-center justify-between">
            <Brand />
            <Button look="plain" size="small" onClick={() => dialog.current?.close()}>
              Close
            </Button>
          </div>
          <Navigation />
          <Person />
        </div>
      </dialog>
    </>
  );
}
