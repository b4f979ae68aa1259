import { useContext } from 'react';
import { SignedOutContext } from '../api/signed-out-context.ts';
import { Button, buttonClass } from './button.tsx';

/** In the frame and in each dialog, behind which the frame cannot be reached. */
export function SignedOutNotice({ className }: { readonly className: string }) {
  const resume = useContext(SignedOutContext);
  if (resume === undefined) return null;
  return (
    <div
      role="alert"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-warn-soft py-2 ${className}`}
    >
      <span className="flex-1 basis-52">
        You are signed out. What you have typed is still here.
      </span>
      <div className="flex flex-wrap gap-2">
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
    </div>
  );
}
