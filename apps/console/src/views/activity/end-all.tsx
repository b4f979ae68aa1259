import type { SessionsFilter } from '@gatehouse/sdk';
import { lazy, Suspense } from 'react';
import { Button } from '../../components/button.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';

const EndDialog = lazy(async () => ({ default: (await import('./end-dialog.tsx')).EndDialog }));

interface EndAllProps {
  readonly filter: SessionsFilter;
  readonly isAsked: boolean;
  readonly onAsk: (isAsked: boolean) => void;
}

/** Ends what the filters leave, after a preview. The service wants it narrowed: a member's own always are. */
export function EndAll({ filter, isAsked, onAsk }: EndAllProps) {
  const isAdmin = useIsAdmin();
  const { user } = useMe();
  const wanted = isAdmin ? filter : { ...filter, userId: user.id };
  const { applicationId, integrationId, userId } = wanted;
  const isNarrow = (applicationId ?? integrationId ?? userId) !== undefined;
  return (
    <>
      {isAsked && !isNarrow && (
        <p role="status" className="self-center text-ink-2">
          First choose an application, an integration or a person.
        </p>
      )}
      <Button onClick={() => onAsk(true)}>End all…</Button>
      <Suspense fallback={null}>
        {isAsked && isNarrow && <EndDialog filter={wanted} onClose={() => onAsk(false)} />}
      </Suspense>
    </>
  );
}
