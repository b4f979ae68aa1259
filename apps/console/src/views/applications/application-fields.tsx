import {
  type CreateApplicationBody,
  callLimitsSchema,
  clientTypeLabels,
} from '@gatehouse/contract';
import { Controller, useFormContext } from 'react-hook-form';
import { keysOf } from '../../api/keys-of.ts';
import { messageWithin } from '../../api/problems.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { LinesField } from '../../components/lines-field.tsx';
import { CallLimitFields } from '../call-limit-fields.tsx';
import { NameField } from '../name-field.tsx';
import { AggregateFields } from './aggregate-fields.tsx';

/** The name, and the OAuth client of an application. */
export function ApplicationFields({ isNew = false }: { isNew?: boolean }) {
  const { register, control, formState } = useFormContext<CreateApplicationBody>();
  const { errors } = formState;
  return (
    <>
      <NameField registered={register('name')} error={errors.name?.message} />
      {isNew && (
        <ChoiceGroup legend="What kind of program">
          {keysOf(clientTypeLabels).map((type) => (
            <Choice
              key={type}
              type="radio"
              value={type}
              {...register('oauth.type')}
              label={clientTypeLabels[type].label}
              sentence={clientTypeLabels[type].sentence}
            />
          ))}
        </ChoiceGroup>
      )}
      <Controller
        control={control}
        name="oauth.redirectUris"
        render={({ field, fieldState }) => (
          <LinesField
            label="Redirect URIs"
            hint="One per line: where people come back to after they agreed. At a loopback address the port does not matter."
            lines={field.value}
            error={messageWithin(fieldState.error)}
            onChange={field.onChange}
          />
        )}
      />
      <Choice
        type="checkbox"
        {...register('oauth.allowDynamicClients')}
        label="Let clients in that are not registered here"
        sentence="Then people need only the URL. Every client that a member agrees to may use what is attached, in that member’s name."
      />
      {!isNew && <AggregateFields />}
      {!isNew && (
        <Controller
          control={control}
          name="limits"
          rules={{ validate: (limits) => callLimitsSchema.nullish().safeParse(limits).success }}
          render={({ field, fieldState }) => (
            <CallLimitFields
              limits={field.value ?? undefined}
              sentence="For everyone together who calls through it, at all of its integrations."
              errors={fieldState.error}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </>
  );
}
