import type { ReactNode } from 'react';

interface SpecimenProps {
  /** The names of the components, as `src/components` exports them. */
  readonly of: readonly string[];
  readonly children: ReactNode;
}

/** Components that belong together, in every state. */
export function Specimen({ of, children }: SpecimenProps) {
  return (
    <div className="border-t border-line py-6">
      <h2 className="mb-4 font-mono text-12 text-ink-2">
        {of.map((name) => (
          <span key={name} data-component={name} className="mr-3">
            {name}
          </span>
        ))}
      </h2>
      <div className="grid gap-5">{children}</div>
    </div>
  );
}

/** One state, or several that differ in one thing. */
export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-2 wide:grid-cols-[176px_minmax(0,1fr)]">
      <p className="text-ink-3">{name}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-3 *:min-w-0">{children}</div>
    </div>
  );
}
