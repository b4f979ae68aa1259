import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { onePerson } from '../api/gatehouse.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Load } from '../components/load.tsx';
import { SkeletonText } from '../components/skeleton.tsx';
import { Announced } from './announced.tsx';
import { Brand } from './brand.tsx';
import { Drawer } from './drawer.tsx';
import { MeContext, meQuery } from './me.ts';
import { Navigation } from './navigation.tsx';
import { Person } from './person.tsx';
import { SearchButton } from './search-button.tsx';
import { SignedOut } from './signed-out.tsx';

const SKIP =
  'sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40 focus:rounded-6 focus:bg-panel focus:px-3 focus:py-2 focus:shadow-pop';

interface ShellProps {
  readonly onSearch: () => void;
  /** What lies above every view. */
  readonly children: ReactNode;
}

/** The frame of every view: the navigation and who is signed in. */
export function Shell({ onSearch, children }: ShellProps) {
  const query = useQuery(meQuery);
  if (useIsOtherPerson()) {
    return (
      <p role="status" className="p-8">
        Another person has signed in with this browser. The console opens for them.
      </p>
    );
  }
  return (
    <SignedOut>
      <Load query={query} skeleton={<SkeletonText />}>
        {(me) => (
          <MeContext value={me}>
            <a href="#view" className={SKIP}>
              To the content
            </a>
            <div className="min-h-dvh wide:grid wide:grid-cols-[224px_minmax(0,1fr)]">
              <aside className="sticky top-0 flex h-dvh flex-col gap-4 border-r border-line bg-sunken px-2 py-3 max-wide:hidden">
                <Brand />
                <SearchButton onClick={onSearch} />
                <Navigation />
                <Person />
              </aside>
              <header className="flex items-center justify-between border-b border-line bg-sunken px-3 py-2 wide:hidden">
                <Brand />
                <div className="flex gap-2">
                  <Button size="small" aria-haspopup="dialog" onClick={onSearch}>
                    <Icon name="search" />
                    Search
                  </Button>
                  <Drawer />
                </div>
              </header>
              <main
                id="view"
                tabIndex={-1}
                className="w-full max-w-[1360px] min-w-0 px-8 pt-6 pb-16 outline-none max-wide:px-4 max-wide:pt-4"
              >
                <Outlet />
              </main>
            </div>
            {children}
            <Announced />
          </MeContext>
        )}
      </Load>
    </SignedOut>
  );
}

/**
 * Another person who signs in with this browser gets a console without anything of the first: nothing is left in the
 * page when it is left, so that no begun form asks to stay.
 */
function useIsOtherPerson(): boolean {
  const isOther = useSyncExternalStore(onePerson.subscribe, onePerson.hasOther);
  useEffect(() => {
    if (isOther) location.assign('/console');
  }, [isOther]);
  return isOther;
}
