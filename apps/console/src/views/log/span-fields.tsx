import { Field, inputClass } from '../../components/field.tsx';
import { instantOf, localOf } from '../local-time.ts';

export interface Span {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface SpanFieldsProps {
  readonly span: Span;
  readonly onChange: (span: Span) => void;
}

/** Whether the span holds any time. */
export function isSpan({ from, to }: Span): boolean {
  return from === undefined || to === undefined || Date.parse(from) < Date.parse(to);
}

/** The button within such a field has the focus without its frame. */
const FIELD = `${inputClass} focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent`;

/** From one time to another, either of them open. */
export function SpanFields({ span, onChange }: SpanFieldsProps) {
  const error = isSpan(span) ? undefined : 'It has to be later than the beginning.';
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <TimeField label="From" value={span.from} onChange={(from) => onChange({ ...span, from })} />
      <TimeField
        label="Until"
        value={span.to}
        error={error}
        onChange={(to) => onChange({ ...span, to })}
      />
    </div>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function TimeField({ label, value, error, onChange }: TimeFieldProps) {
  return (
    <Field label={label} isOptional error={error}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          className={FIELD}
          value={localOf(value)}
          onChange={({ target }) => onChange(instantOf(target.value))}
        />
      )}
    </Field>
  );
}
