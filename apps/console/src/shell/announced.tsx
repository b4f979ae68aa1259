import { lazy, Suspense, useSyncExternalStore } from 'react';
import { announcements } from '../components/announcements.ts';

const Toasts = lazy(async () => ({ default: (await import('../components/toasts.tsx')).Toasts }));

/** What was done and what failed. It is loaded with the first announcement. */
export function Announced() {
  const hasAny = useSyncExternalStore(announcements.subscribe, announcements.hasAny);
  if (!hasAny) return null;
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  );
}
