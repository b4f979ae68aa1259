import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

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
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAfterNavigation(heading);
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
        <h1
          ref={heading}
          tabIndex={-1}
          className="foreign text-20 font-semibold tracking-[-0.011em] outline-none"
        >
          {title}
        </h1>
        <p className="foreign max-w-[80ch] text-pretty text-ink-2">{sentence}</p>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

/** The path of the heading that was shown last: a heading that only appears again takes no focus. */
let shownAt: string | undefined;

/**
 * Gives the heading of a new view the focus, so that a screen reader reads where its person is now. The first view is
 * left to the browser.
 */
function useFocusAfterNavigation(heading: RefObject<HTMLHeadingElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const { pathname } = router.state.location;
    const isNew = shownAt !== undefined && shownAt !== pathname;
    shownAt = pathname;
    if (isNew) heading.current?.focus({ preventScroll: true });
  }, [router, heading]);
}
