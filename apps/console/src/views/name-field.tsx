import { limits } from '@gatehouse/contract';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, inputClass } from '../components/field.tsx';

interface NameFieldProps {
  readonly registered: UseFormRegisterReturn;
  readonly error: string | undefined;
  readonly hint?: string;
}

/** What something is called by people. */
export function NameField({ registered, ...field }: NameFieldProps) {
  return (
    <Field label="Name" {...field}>
      {(control) => (
        <input
          {...control}
          {...registered}
          maxLength={limits.name}
          autoComplete="off"
          className={inputClass}
        />
      )}
    </Field>
  );
}
