import { type ReactNode, useEffect, useState } from 'react';
import { chipClass } from './chip.ts';

/** What narrows a list, above it. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-line py-2 pr-3 pl-4">
      {children}
    </search>
  );
}

interface ToggleProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}

export function FilterToggle({ isOn, onChange, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className={chipClass(isOn)}
    >
      {children}
    </button>
  );
}

/** Long enough that a word is searched for, and not each of its letters. */
const PAUSE = 250;

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="h-7 w-60 rounded-6 border border-edge bg-bg px-2.5 max-wide:w-full"
    />
  );
}
