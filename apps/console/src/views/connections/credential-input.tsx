import type { CredentialField } from '@gatehouse/contract';
import { Field, inputClass } from '../../components/field.tsx';

interface CredentialInputProps {
  readonly field: CredentialField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One value of a credential: typed, hidden while it is typed, or chosen. */
export function CredentialInput({ field, value, error, onChange }: CredentialInputProps) {
  const { label, hint, isRequired, isSecret, choices, property } = field;
  const isNumber = property?.type === 'number' || property?.type === 'integer';
  return (
    <Field label={label} hint={hint} error={error} isOptional={!isRequired}>
      {(control) =>
        choices === undefined ? (
          <input
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            type={isSecret ? 'password' : 'text'}
            // With `off`, browsers fill in the password that they have stored for this site: the one for us.
            autoComplete={isSecret ? 'new-password' : 'off'}
            spellCheck={false}
            {...(isNumber && { inputMode: 'decimal' as const })}
            className={inputClass}
          />
        ) : (
          <select
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={inputClass}
          >
            <option value="">Choose</option>
            {choices.map((choice) => (
              <option key={choice.label} value={String(choice.value)}>
                {choice.label}
              </option>
            ))}
          </select>
        )
      }
    </Field>
  );
}
