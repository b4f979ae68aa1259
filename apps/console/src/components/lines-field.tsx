import { useState } from 'react';
import { Field } from './field.tsx';

interface LinesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly lines: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (lines: string[]) => void;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A list of texts, one in a line. */
export function LinesField({ label, hint, lines, error, onChange }: LinesFieldProps) {
  const [text, setText] = useState(() => lines.join('\n'));
  // Another client was picked, or the form was reset: what is typed says something else then.
  const isTyped = linesOf(text).join('\n') === lines.join('\n');
  const shown = isTyped ? text : lines.join('\n');
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          value={shown}
          rows={Math.min(8, Math.max(3, shown.split('\n').length))}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            onChange(linesOf(event.target.value));
          }}
          className="w-full rounded-6 border border-edge bg-panel px-3 py-2 font-mono text-12 leading-5 aria-invalid:border-bad"
        />
      )}
    </Field>
  );
}
