import { limits } from '@gatehouse/contract';
import { useFormContext } from 'react-hook-form';
import { keysOf } from '../../api/keys-of.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { modeLabels } from './aggregate-labels.ts';
import type { SettingsValues } from './use-saving.ts';

const { min, max } = limits.aggregateNameLength;
const WRONG_LENGTH = `Must be a whole number from ${min} to ${max}.`;

/** How the one URL of an application serves its integrations. */
export function AggregateFields() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors } = formState;
  return (
    <>
      <ChoiceGroup legend="One URL for all integrations">
        {keysOf(modeLabels).map((mode) => (
          <Choice
            key={mode}
            type="radio"
            value={mode}
            {...register('aggregate.mode')}
            label={modeLabels[mode].label}
            sentence={modeLabels[mode].sentence}
          />
        ))}
      </ChoiceGroup>
      <Field
        label="Longest name there"
        hint="Characters of a tool’s or prompt’s name. Less than 64 for a client that puts its own prefix before it: the pages about clients say how many."
        error={errors.aggregate?.nameLength?.message}
      >
        {(control) => (
          <input
            {...control}
            {...register('aggregate.nameLength', {
              setValueAs: (typed: string | number) => (typed === '' ? Number.NaN : Number(typed)),
              validate: (length) => isLength(length) || WRONG_LENGTH,
            })}
            inputMode="numeric"
            autoComplete="off"
            className={`${inputClass} max-w-40 tabular-nums`}
          />
        )}
      </Field>
    </>
  );
}

function isLength(length: number): boolean {
  return Number.isInteger(length) && length >= min && length <= max;
}
