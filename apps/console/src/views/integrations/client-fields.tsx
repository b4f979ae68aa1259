import type { Discovery } from '@gatehouse/sdk';
import { useFormContext } from 'react-hook-form';
import { Field, inputClass } from '../../components/field.tsx';
import type { CreateValues } from './create-form.tsx';

/** Whether the authorization server was found, and takes only clients that were made there by hand. */
export function needsClient({ issuer, registration }: Discovery): boolean {
  return issuer !== null && registration.every((way) => way === 'static');
}

/** The OAuth client that an admin has made at the provider. */
export function ClientFields() {
  const { register, formState } = useFormContext<CreateValues>();
  const errors = formState.errors.client;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-medium">OAuth client</legend>
      <p className="text-ink-2">
        The provider registers no clients by itself. Make one there, and enter it here. The redirect
        URI that it asks for stands in the details of the integration once it is added.
      </p>
      <Field label="Client id" error={errors?.clientId?.message}>
        {(control) => (
          <input
            {...control}
            {...register('client.clientId')}
            autoComplete="off"
            className={inputClass}
          />
        )}
      </Field>
      <Field label="Client secret" isOptional error={errors?.clientSecret?.message}>
        {(control) => (
          <input
            {...control}
            {...register('client.clientSecret', { value: '' })}
            type="password"
            autoComplete="new-password"
            className={inputClass}
          />
        )}
      </Field>
    </fieldset>
  );
}
