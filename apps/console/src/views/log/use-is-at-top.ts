import { useSyncExternalStore } from 'react';

/** Pixels: so far down, new rows at the top would move what is read. */
const NEAR = 120;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Whether the beginning of the page is in view. */
export function useIsAtTop(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY < NEAR);
}
