import type { SessionsFilter } from '@gatehouse/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';

interface EndAllProps {
  readonly filter: SessionsFilter;
  readonly onEnd: (filter: SessionsFilter) => void;
}

/** Ends what the filters leave, after a preview. The service wants it narrowed: a member's own always are. */
export function EndAll({ filter, onEnd }: EndAllProps) {
  const isAdmin = useIsAdmin();
  const { user } = useMe();
  const [isAsked, setAsked] = useState(false);
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
      <Button onClick={() => (isNarrow ? onEnd(wanted) : setAsked(true))}>End all…</Button>
    </>
  );
}
