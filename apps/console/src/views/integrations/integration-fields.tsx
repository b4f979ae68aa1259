import { type AuthMode, authModeLabels } from '@gatehouse/contract';
import { Controller, useFormContext } from 'react-hook-form';
import { messageWithin } from '../../api/problems.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { NameField } from '../name-field.tsx';
import type { CreateValues } from './create-form.tsx';
import { CredentialRowsEditor } from './credential-rows-editor.tsx';

/** The name, and how people authenticate with what that needs. */
export function IntegrationFields({ modes }: { modes: readonly AuthMode[] }) {
  const { register, watch, control, formState } = useFormContext<CreateValues>();
  const errors = formState.errors.body;
  const mode = watch('body.authMode');
  return (
    <>
      <NameField registered={register('body.name')} error={errors?.name?.message} />
      <ChoiceGroup legend="How people authenticate">
        {modes.map((each) => (
          <Choice
            key={each}
            type="radio"
            value={each}
            {...register('body.authMode')}
            label={authModeLabels[each].label}
            sentence={authModeLabels[each].sentence}
          />
        ))}
      </ChoiceGroup>
      {mode === 'server_token' && (
        <Field
          label="Token"
          error={errors?.serverToken?.message}
          hint="It is stored encrypted, and sent to this server only. It is never shown again."
        >
          {(field) => (
            <input
              {...field}
              {...register('body.serverToken')}
              type="password"
              autoComplete="new-password"
              className={inputClass}
            />
          )}
        </Field>
      )}
      {(mode === 'user_token' || mode === 'server_token') && (
        <Controller
          control={control}
          name="body.credentialSchema"
          render={({ field, fieldState }) => (
            <CredentialRowsEditor
              schema={field.value}
              isShared={mode === 'server_token'}
              error={messageWithin(fieldState.error)}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </>
  );
}
