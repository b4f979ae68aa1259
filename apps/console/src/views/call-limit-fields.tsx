import { type CallLimitsInput, limits as most } from '@gatehouse/contract';
import { type ReactNode, useState } from 'react';
import { messageWithin } from '../api/problems.ts';
import { Field, inputClass } from '../components/field.tsx';

interface CallLimitFieldsProps {
  readonly limits: CallLimitsInput | undefined;
  /** Which calls are counted together. */
  readonly sentence: ReactNode;
  /** Of the limits, and of what is within them. */
  readonly errors: unknown;
  readonly onChange: (limits: CallLimitsInput) => void;
}

/** How many calls there may be. What is left empty limits nothing. */
export function CallLimitFields({ limits = {}, sentence, errors, onChange }: CallLimitFieldsProps) {
  const { perMinute, concurrent } = limits;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-semibold">How often</legend>
      <p className="text-ink-2">{sentence} What is left empty is not limited.</p>
      <div className="grid items-start gap-3 wide:grid-cols-2">
        <LimitField
          label="Requests a minute"
          most={most.callsPerMinute}
          value={perMinute}
          error={errorOf(errors, 'perMinute')}
          onChange={(value) => onChange({ ...limits, perMinute: value })}
        />
        <LimitField
          label="Requests at once"
          most={most.concurrentCalls}
          value={concurrent}
          error={errorOf(errors, 'concurrent')}
          onChange={(value) => onChange({ ...limits, concurrent: value })}
        />
      </div>
    </fieldset>
  );
}

interface LimitFieldProps {
  readonly label: string;
  readonly most: number;
  /** Not a number while what is typed is none. */
  readonly value: number | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function LimitField({ label, most: largest, value, error, onChange }: LimitFieldProps) {
  const [typed, setTyped] = useState('');
  const isWrong = value !== undefined && !(value >= 1 && value <= largest);
  return (
    <Field
      label={label}
      isOptional
      error={isWrong ? `Must be a whole number from 1 to ${largest.toLocaleString('en')}.` : error}
    >
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={Object.is(numberOf(typed), value) ? typed : (value?.toString() ?? '')}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(numberOf(target.value));
          }}
          className={`${inputClass} max-w-40 tabular-nums`}
        />
      )}
    </Field>
  );
}

function numberOf(typed: string): number | undefined {
  if (typed.trim() === '') return undefined;
  return /^\s*\d+\s*$/.test(typed) ? Number(typed) : Number.NaN;
}

/** That of one field, or else what was said of both together. */
function errorOf(errors: unknown, field: keyof CallLimitsInput): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  const own = Object.entries(errors).find(([name]) => name === field)?.[1];
  return messageWithin(own) ?? ('message' in errors ? messageWithin(errors) : undefined);
}
