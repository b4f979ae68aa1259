import { Field, inputClass } from '../../components/field.tsx';
import { instantOf, localOf } from './local-time.ts';

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

/** From one time to another, either of them open. */
export function SpanFields({ span, onChange }: SpanFieldsProps) {
  const error = isSpan(span) ? undefined : 'It has to be later than the beginning.';
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <Field label="From" isOptional>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            className={inputClass}
            value={localOf(span.from)}
            onChange={({ target }) => onChange({ ...span, from: instantOf(target.value) })}
          />
        )}
      </Field>
      <Field label="Until" isOptional error={error}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            className={inputClass}
            value={localOf(span.to)}
            onChange={({ target }) => onChange({ ...span, to: instantOf(target.value) })}
          />
        )}
      </Field>
    </div>
  );
}
