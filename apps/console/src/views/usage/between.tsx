import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { instantOf, localOf } from '../local-time.ts';
import type { UsageSearch } from './search.ts';
import { isBetween } from './span.ts';

interface BetweenProps {
  readonly search: UsageSearch;
  readonly change: (changed: UsageSearch) => unknown;
}

// Chromium does not count the button within, which opens a calendar, as focus of the field.
const INPUT =
  'h-7 min-w-0 rounded-6 border border-edge bg-bg px-2 tabular-nums outline-offset-2 focus-within:outline-2 focus-within:outline-accent';

/** Two times of the reader's zone, which are asked for when both are entered. */
export function Between({ search, change }: BetweenProps) {
  const [from, setFrom] = useState(search.from);
  const [to, setTo] = useState(search.to);
  const isWrong = !isBetween({ from, to });
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) change({ from, to });
      }}
    >
      <TimeField label="From" value={from} isWrong={isWrong} onChange={setFrom} />
      <span aria-hidden="true">to</span>
      <TimeField label="To" value={to} isWrong={isWrong} onChange={setTo} />
      <Button type="submit" size="small">
        Show
      </Button>
      {isWrong && (
        <p role="alert" className="text-bad">
          The second time has to be after the first.
        </p>
      )}
    </form>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly isWrong: boolean;
  readonly onChange: (value: string | undefined) => void;
}

function TimeField({ label, value, isWrong, onChange }: TimeFieldProps) {
  return (
    <input
      type="datetime-local"
      aria-label={label}
      aria-invalid={isWrong}
      required
      defaultValue={localOf(value)}
      onChange={({ target }) => onChange(instantOf(target.value))}
      className={INPUT}
    />
  );
}
