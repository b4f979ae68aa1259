import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { hasBegunForm } from '../api/begun-forms.ts';
import { consoleTokens } from '../api/gatehouse.ts';
import { SignedOutContext } from '../api/signed-out-context.ts';
import { SignedOutNotice } from '../components/signed-out-notice.tsx';
import { signInUrl } from './leave.ts';

/**
 * What follows from a lost session: signing in and back to this view, or, with a form begun, a notice that leaves
 * the form as it is.
 */
export function SignedOut({ children }: { readonly children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  const queries = useQueryClient();
  useEffect(
    () =>
      consoleTokens.onSignedOut(() => {
        if (hasBegunForm()) setShown(true);
        else location.assign(signInUrl());
      }),
    [],
  );
  const resume = useCallback(() => {
    consoleTokens.resume();
    setShown(false);
    void queries.invalidateQueries();
  }, [queries]);
  return (
    <SignedOutContext value={isShown ? resume : undefined}>
      <SignedOutNotice className="px-8 max-wide:px-4 in-[body:has([role=dialog])]:hidden" />
      {children}
    </SignedOutContext>
  );
}
