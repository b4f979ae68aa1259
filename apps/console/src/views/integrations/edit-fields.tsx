import { authModeLabels, limits } from '@gatehouse/contract';
import type { Integration } from '@gatehouse/sdk';
import { Controller, useFormContext } from 'react-hook-form';
import { keysOf } from '../../api/keys-of.ts';
import { messageWithin } from '../../api/problems.ts';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { CredentialRowsEditor } from './credential-rows-editor.tsx';
import { type EditValues, editLabels } from './edit-values.ts';

export function EditFields({ integration }: { integration: Integration }) {
  const { register, watch, control, formState } = useFormContext<EditValues>();
  const { errors } = formState;
  const mode = watch('authMode');
  const isToken = mode === 'user_token' || mode === 'server_token';
  return (
    <>
      <Field label={editLabels.name} error={errors.name?.message}>
        {(field) => (
          <input {...field} {...register('name')} maxLength={limits.name} className={inputClass} />
        )}
      </Field>
      <Field
        label={editLabels.url}
        error={errors.url?.message}
        hint="Stored credentials are not sent to a new origin: people connect again, and a shared token is entered again."
      >
        {(field) => (
          <input
            {...field}
            {...register('url')}
            type="url"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <ChoiceGroup legend={editLabels.authMode}>
        {keysOf(authModeLabels).map((each) => (
          <Choice
            key={each}
            type="radio"
            value={each}
            {...register('authMode')}
            label={authModeLabels[each].label}
            sentence={authModeLabels[each].sentence}
          />
        ))}
      </ChoiceGroup>
      {mode === 'server_token' && (
        <Field
          label={editLabels.serverToken}
          isOptional={integration.serverTokenConfigured}
          error={errors.serverToken?.message}
          hint={
            integration.serverTokenConfigured
              ? 'A token is stored. Left empty, it stays.'
              : undefined
          }
        >
          {(field) => (
            <input
              {...field}
              {...register('serverToken')}
              type="password"
              autoComplete="new-password"
              className={inputClass}
            />
          )}
        </Field>
      )}
      {isToken && (
        <Controller
          control={control}
          name="credentialSchema"
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
      <Field
        label="Validate automatically"
        isOptional
        error={errors.validateEveryMinutes?.message}
        hint="The number of minutes between two validations. Left empty, an admin starts them."
      >
        {(field) => (
          <input
            {...field}
            {...register('validateEveryMinutes')}
            inputMode="numeric"
            className={`${inputClass} max-w-40`}
          />
        )}
      </Field>
    </>
  );
}
