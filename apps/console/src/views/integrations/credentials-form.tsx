import type { Integration } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import {
  CREATE_FIELDS,
  type Created,
  type CreateValues,
  createFormSchema,
} from './create-form.tsx';
import { IntegrationFields } from './integration-fields.tsx';
import { handedOutTo } from './who-gets.tsx';

interface CredentialsFormProps {
  readonly onCreated: (integration: Integration) => unknown;
}

/** An integration that only stores credentials. Its URL says what they are for, so nothing is looked at. */
export function CredentialsForm({ onCreated }: CredentialsFormProps) {
  const form = useForm<CreateValues, unknown, Created>({
    resolver: zodResolver(createFormSchema),
    shouldUnregister: true,
    defaultValues: { body: { name: '', url: '', authMode: 'user_token' } },
  });
  const { register, handleSubmit, watch, setError, formState } = form;
  useBegunForm(formState.isDirty);
  const queries = useQueryClient();
  const isStillHere = useStillHere();
  const create = useMutation({
    mutationFn: ({ body }: Created) =>
      gatehouse.integrations.create({ ...body, category: 'internal_mcp_credentials' }),
    onSuccess: async ({ integration }) => {
      if (isStillHere()) await onCreated(integration);
      say(`${integration.name} is added.`);
      await queries.invalidateQueries({ queryKey: ['integrations'] });
    },
  });
  const submit = handleSubmit((values) =>
    create.mutate(values, {
      onError: (error) => {
        showAtFields(error, { ...CREATE_FIELDS, url: 'body.url' }, setError);
      },
    }),
  );
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {create.error !== null && <FormProblem error={create.error} />}
        <Field
          label="URL of the API"
          error={formState.errors.body?.url?.message}
          hint="The API that the credentials are for. It need not speak MCP, and no calls go to it through Gatehouse: programs name it when they ask for a credential, and a validation tries it."
        >
          {(control) => (
            <input
              {...control}
              {...register('body.url', { setValueAs: (text: string) => text.trim() })}
              type="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://api.example.com"
              className={inputClass}
            />
          )}
        </Field>
        <IntegrationFields modes={['user_token', 'oauth', 'server_token']} />
        <div className="rounded-6 bg-sunken px-3 py-2.5">
          <p className="font-medium">Who may get what it holds</p>
          <p className="text-ink-2">{handedOutTo(watch('body.authMode'))}</p>
        </div>
        <div className="flex justify-end">
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {create.isPending ? 'Adding…' : 'Add integration'}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
