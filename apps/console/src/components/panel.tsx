import { type ReactNode, useId } from 'react';

interface PanelProps {
  readonly title?: ReactNode;
  /** At the right of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** The one kind of surface. No panel lies in another. */
export function Panel({ title, aside, children, className = '' }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={`min-w-0 rounded-8 border border-line bg-panel shadow-panel ${className}`}
    >
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {aside !== undefined && <div className="ml-auto text-ink-2">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
