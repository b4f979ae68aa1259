import { Field, inputClass } from '../../../components/field.tsx';
import { type ArgumentField, optionLabel } from './fields.ts';

export const areaClass =
  'w-full rounded-6 border border-edge bg-panel px-3 py-2 font-mono text-12 leading-5 aria-invalid:border-bad';

interface ArgumentInputProps {
  readonly field: ArgumentField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The control for one argument of a tool. */
export function ArgumentInput({ field, value, error, onChange }: ArgumentInputProps) {
  const { label, hint, isRequired } = field;
  return (
    <Field label={label} hint={hint} error={error} isOptional={!isRequired}>
      {(control) => {
        const shared = {
          ...control,
          value,
          onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
        };
        if (field.kind === 'choice' || field.kind === 'boolean') {
          return (
            <select {...shared} className={inputClass}>
              <option value="">{isRequired ? 'Choose' : 'Leave it out'}</option>
              {choicesOf(field).map(([place, text]) => (
                <option key={place} value={place}>
                  {text}
                </option>
              ))}
            </select>
          );
        }
        if (field.kind === 'json') {
          return <textarea {...shared} rows={3} spellCheck={false} className={areaClass} />;
        }
        return (
          <input
            {...shared}
            inputMode={INPUT_MODES[field.kind]}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        );
      }}
    </Field>
  );
}

const INPUT_MODES = { text: 'text', number: 'decimal', integer: 'numeric' } as const;

function choicesOf({ kind, options }: ArgumentField): readonly (readonly [string, string])[] {
  if (kind === 'boolean') {
    return [
      ['true', 'True'],
      ['false', 'False'],
    ];
  }
  return options.map((option, place) => [String(place), optionLabel(option)]);
}
