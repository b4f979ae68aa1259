import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasBegunForm } from '../api/begun-forms.ts';
import { consoleTokens } from '../api/gatehouse.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { signInUrl } from './leave.ts';

/**
 * What follows from a lost session: signing in and back to this view, or, with a form begun, a bar that leaves
 * the form as it is.
 */
export function SignedOut() {
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
  if (!isShown) return null;
  const resume = async () => {
    consoleTokens.resume();
    setShown(false);
    await queries.invalidateQueries();
  };
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warn-soft px-8 py-2 max-wide:px-4"
    >
      <span className="flex-1">You are signed out. What you have typed is still here.</span>
      <a
        href="/sign-in"
        target="_blank"
        rel="noopener"
        className={buttonClass('secondary', 'small')}
      >
        Sign in in a new tab
      </a>
      <Button size="small" onClick={resume}>
        I have signed in
      </Button>
    </div>
  );
}
