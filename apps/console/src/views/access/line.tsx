import type { Look } from './curves.ts';
import { type Access, accessLabels } from './labels.ts';

/** How an edge looks: allowed is a line, some tools are dashed, refused is dotted. */
export const lineClasses: Readonly<Record<Look, string>> = {
  allowed: 'stroke-accent',
  conditional: 'stroke-warn [stroke-dasharray:5_4]',
  refused: 'stroke-bad [stroke-dasharray:1.5_4] [stroke-linecap:round]',
  many: 'stroke-accent opacity-25',
  faint: 'stroke-line-strong opacity-25',
  tried: 'stroke-ink [stroke-dasharray:8_4]',
};

/** What a line means: a piece of it, and the words. */
export function AccessLine({ access, words }: { access: Access; words?: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <svg viewBox="0 0 18 8" aria-hidden="true" className="h-2 w-4.5 shrink-0 fill-none">
        <path d="M0 4h18" strokeWidth="1.75" className={lineClasses[access]} />
      </svg>
      {words ?? accessLabels[access]}
    </span>
  );
}
