import { useEffect } from 'react';

const begun = new Set<symbol>();

/** Whether a form holds what a person has typed: leaving the page would lose it. */
export function hasBegunForm(): boolean {
  return begun.size > 0;
}

/** While `isDirty`, a lost session does not leave the page, and the browser asks before it closes it. */
export function useBegunForm(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const key = Symbol('form');
    begun.add(key);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      begun.delete(key);
      removeEventListener('beforeunload', ask);
    };
  }, [isDirty]);
}
