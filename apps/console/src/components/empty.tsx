import type { ReactNode } from 'react';

/** One sentence, and the button that fills it. */
export function Empty({ sentence, action }: { sentence: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-10 text-center">
      <p className="max-w-[56ch] text-ink-2">{sentence}</p>
      {action}
    </div>
  );
}
