import { lazy, Suspense, useState } from 'react';
import { chipClass } from '../../components/chip.ts';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { clockOf } from './clock.tsx';
import type { Span } from './span-fields.tsx';

const SpanDialog = lazy(async () => ({ default: (await import('./span-dialog.tsx')).SpanDialog }));

const HOUR = 60 * 60_000;

const LAST: readonly (readonly [label: string, milliseconds: number])[] = [
  ['Last hour', HOUR],
  ['Last 24 hours', 24 * HOUR],
  ['Last 7 days', 7 * 24 * HOUR],
];

interface SpanFilterProps {
  readonly span: Span;
  readonly onChange: (span: Span) => void;
}

/** When the events were recorded. The last hour is the one before it was chosen. */
export function SpanFilter({ span, onChange }: SpanFilterProps) {
  const [isAsked, setAsked] = useState(false);
  const { from, to } = span;
  const since = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();
  return (
    <>
      <Menu
        className={chipClass(from !== undefined || to !== undefined)}
        trigger={<span className="line-clamp-1">{labelOf(span)}</span>}
      >
        <MenuItem onSelect={() => onChange({ from: undefined, to: undefined })}>Any time</MenuItem>
        {LAST.map(([label, milliseconds]) => (
          <MenuItem
            key={label}
            onSelect={() => onChange({ from: since(milliseconds), to: undefined })}
          >
            {label}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setAsked(true)}>Between two times…</MenuItem>
      </Menu>
      <Suspense fallback={null}>
        {isAsked && (
          <SpanDialog
            span={span}
            onChoose={(chosen) => {
              setAsked(false);
              onChange(chosen);
            }}
            onClose={() => setAsked(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function labelOf({ from, to }: Span): string {
  if (from === undefined) return to === undefined ? 'Time' : `Time: until ${clockOf(to)}`;
  return to === undefined
    ? `Time: since ${clockOf(from)}`
    : `Time: ${clockOf(from)} to ${clockOf(to)}`;
}
