import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** One sentence: what the view is for. */
  readonly sentence: ReactNode;
  /** The view above this one. */
  readonly above?: {
    readonly to: '/integrations' | '/applications' | '/groups';
    readonly label: string;
  };
  /** At the right: at most one primary button. */
  readonly actions?: ReactNode;
}

export function PageHead({ title, sentence, above, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        {above !== undefined && (
          <nav aria-label="Above this view" className="mb-1 text-ink-3">
            <Link to={above.to} className="hover:text-ink">
              {above.label}
            </Link>{' '}
            /
          </nav>
        )}
        <h1 className="foreign text-20 font-semibold tracking-[-0.011em]">{title}</h1>
        <p className="foreign max-w-[80ch] text-ink-2">{sentence}</p>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
