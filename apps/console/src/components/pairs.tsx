import type { ReactNode } from 'react';

/** Names and values, one below the other. */
export function Pairs({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2 px-4 py-3">{children}</dl>;
}

export function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[112px_1fr] gap-3">
      <dt className="text-ink-3">{name}</dt>
      <dd className="foreign min-w-0">{children}</dd>
    </div>
  );
}

export function Mono({ children }: { children: ReactNode }) {
  return <span className="foreign font-mono text-12">{children}</span>;
}

export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-block rounded-4 bg-idle-soft px-1.5 text-12 leading-5 font-medium text-ink-2">
      {children}
    </span>
  );
}
