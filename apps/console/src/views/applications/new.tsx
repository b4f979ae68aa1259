import {
  type CreateApplicationBody,
  createApplicationBodySchema,
  type ParsedCreateApplicationBody,
} from '@gatehouse/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { ApplicationFields } from './application-fields.tsx';
import { applicationFor } from './application-for.ts';
import { ClientPicker } from './client-picker.tsx';
import { mcpClients } from './clients.ts';
import { SecretOnce } from './secret-once.tsx';

const route = getRouteApi('/applications/new');
const FIELDS = { name: 'name', oauth: 'oauth.redirectUris' } as const;

const unseenSecret = (name: string) =>
  `${name} is added. Its client secret was not shown: replace it in its settings to get one.`;

export function NewApplication() {
  const { client: chosen } = route.useSearch();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const queries = useQueryClient();
  const client = mcpClients.find(({ id }) => id === chosen);
  const [created, setCreated] = useState<{ id: string; name: string; secret: string }>();
  const form = useForm<CreateApplicationBody, unknown, ParsedCreateApplicationBody>({
    resolver: zodResolver(createApplicationBodySchema),
    defaultValues: applicationFor(client),
  });
  const open = (id: string) =>
    navigate({ to: '/applications/$id', params: { id }, ignoreBlocker: true });
  const create = useMutation({
    mutationFn: (body: ParsedCreateApplicationBody) => gatehouse.applications.create(body),
    onSuccess: async ({ application: { id, name }, oauth }) => {
      await queries.invalidateQueries({ queryKey: ['applications'] });
      const { clientSecret: secret } = oauth;
      if (isStillHere()) {
        if (secret === undefined) await open(id);
        else setCreated({ id, name, secret });
      } else say(secret === undefined ? `${name} is added.` : unseenSecret(name));
    },
    onError: (error) => {
      showAtFields(error, FIELDS, form.setError);
    },
  });
  useBegunForm(form.formState.isDirty && !create.isSuccess);
  return (
    <>
      <PageHead
        title="Add an application"
        sentence="What a client needs is filled in. A program of your own needs a name, and where people come back to."
        above={{ to: '/applications', label: 'Applications' }}
      />
      <div className="max-w-3xl">
        <Panel>
          <FormProvider {...form}>
            <form
              noValidate
              onSubmit={form.handleSubmit((values) => create.mutate(values))}
              className="grid gap-5 p-4"
            >
              <ClientPicker
                chosen={client?.id}
                onChoose={(picked) => form.reset(applicationFor(picked))}
              />
              {create.error !== null && <FormProblem error={create.error} />}
              <ApplicationFields isNew />
              <div className="flex justify-end">
                <Button look="primary" type="submit" isBusy={create.isPending}>
                  {create.isPending ? 'Adding…' : 'Add application'}
                </Button>
              </div>
            </form>
          </FormProvider>
        </Panel>
      </div>
      {created !== undefined && (
        <SecretOnce name={created.name} secret={created.secret} onClose={() => open(created.id)} />
      )}
    </>
  );
}
