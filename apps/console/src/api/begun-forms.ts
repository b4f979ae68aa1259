import { createContext, useContext, useLayoutEffect } from 'react';

const begun = new Set<symbol>();

/** Whether a form holds what a person has typed: leaving the page would lose it. */
export function hasBegunForm(): boolean {
  return begun.size > 0;
}

type Recount = (change: (count: number) => number) => void;

/** Counts the begun forms within a part of the page, such as a dialog. */
export const BegunWithin = createContext<Recount | undefined>(undefined);

/**
 * While `isDirty`, a lost session does not leave the page, the browser asks before it closes it, and the dialog around
 * it is closed by its buttons alone.
 */
export function useBegunForm(isDirty: boolean): void {
  const recount = useContext(BegunWithin);
  // With the layout: an effect afterwards would tell the dialog too late for a click that follows at once.
  useLayoutEffect(() => {
    if (!isDirty) return;
    const key = Symbol('form');
    begun.add(key);
    recount?.((count) => count + 1);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      begun.delete(key);
      recount?.((count) => count - 1);
      removeEventListener('beforeunload', ask);
    };
  }, [isDirty, recount]);
}
