import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'idle';

const COLOURS: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  idle: 'text-idle',
};

/** Disc, triangle, diamond and dashed ring: a status can be seen without its colour. */
const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  ok: <circle cx="5" cy="5" r="4" className="fill-current" />,
  warn: <path d="M5 0.800 9.500 9H0.500z" className="fill-current" />,
  bad: <path d="M5 0.300 9.700 5 5 9.700 0.300 5z" className="fill-current" />,
  idle: (
    <circle
      cx="5"
      cy="5"
      r="3.600"
      className="fill-none stroke-current"
      strokeWidth="1.500"
      strokeDasharray="2 1.500"
    />
  ),
};

export function StatusShape({ tone }: { tone: Tone }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true" className={`size-2.5 shrink-0 ${COLOURS[tone]}`}>
      {SHAPES[tone]}
    </svg>
  );
}

export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${COLOURS[tone]}`}
    >
      <StatusShape tone={tone} />
      {children}
    </span>
  );
}
