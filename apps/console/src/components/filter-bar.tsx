import { type ReactNode, useEffect, useState } from 'react';
import { Menu, MenuChoices } from './menu.tsx';

/** What narrows a list, above it. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-line py-2 pr-3 pl-4">
      {children}
    </search>
  );
}

const CHIP = 'inline-flex h-7 items-center gap-1 rounded-6 border px-2.5';
const OFF = 'border-dashed border-line-strong text-ink-2 hover:text-ink';
const ON = 'border-transparent bg-accent-soft font-medium text-accent';

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
      className={`${CHIP} ${isOn ? ON : OFF}`}
    >
      {children}
    </button>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value | undefined) => void;
}

/** One value of a field, or any. */
export function FilterChoice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  const chosen = options.find(([option]) => option === value)?.[1];
  const isValue = (text: string): text is Value => options.some(([option]) => option === text);
  return (
    <Menu
      className={`${CHIP} ${chosen === undefined ? OFF : ON}`}
      trigger={chosen === undefined ? label : `${label}: ${chosen}`}
    >
      <MenuChoices
        value={value ?? 'any'}
        options={[['any', 'Any'], ...options]}
        onChange={(text) => onChange(isValue(text) ? text : undefined)}
      />
    </Menu>
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
