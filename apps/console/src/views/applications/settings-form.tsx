import type { CreateApplicationBody } from '@gatehouse/contract';
import type { Application } from '@gatehouse/sdk';
import { isApiError } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { ApplicationFields } from './application-fields.tsx';
import { applicationQuery } from './queries.ts';

interface Read {
  readonly application: Application;
  readonly etag: string | undefined;
}

const FIELDS = { name: 'name', redirectUris: 'oauth.redirectUris' } as const;

function valuesOf({ name, oauth }: Application): CreateApplicationBody {
  return {
    name,
    oauth: {
      type: oauth?.type === 'confidential' ? 'confidential' : 'public',
      redirectUris: oauth?.redirectUris ?? [],
      allowDynamicClients: oauth?.allowDynamicClients ?? false,
    },
  };
}

/** Changes an application as it was read first: a change of someone else in between is named, not overwritten. */
export function SettingsForm({ read }: { read: Read }) {
  const [base, setBase] = useState(read);
  const form = useForm<CreateApplicationBody>({ defaultValues: valuesOf(base.application) });
  const queries = useQueryClient();
  const { id } = base.application;
  const save = useMutation({
    mutationFn: async ({ name, oauth }: CreateApplicationBody) => {
      const { redirectUris, allowDynamicClients } = oauth;
      const options = { ifMatch: base.etag };
      const { etag } = await gatehouse.applications.oauth
        .update(id, { redirectUris, allowDynamicClients }, options)
        .withResponse();
      const { data, etag: last } = await gatehouse.applications
        .update(id, { name }, { ifMatch: etag })
        .withResponse();
      return { application: data.application, etag: last };
    },
    onSuccess: async (saved) => {
      setBase(saved);
      form.reset(valuesOf(saved.application));
      say(`${saved.application.name} is saved.`);
      await queries.invalidateQueries({ queryKey: ['applications'] });
    },
    onError: async (error) => {
      if (!isApiError(error) || error.code !== 'precondition_failed') {
        showAtFields(error, FIELDS, form.setError);
        return;
      }
      const theirs = await queries.fetchQuery({ ...applicationQuery(id), staleTime: 0 });
      setBase(theirs);
      form.reset(valuesOf(theirs.application), { keepDirtyValues: true });
    },
  });
  useBegunForm(form.formState.isDirty);
  const isConflict = isApiError(save.error) && save.error.code === 'precondition_failed';
  return (
    <Panel title="Settings">
      <FormProvider {...form}>
        <form
          noValidate
          onSubmit={form.handleSubmit((values) => save.mutate(values))}
          className="grid gap-5 p-4"
        >
          {isConflict ? (
            <p role="alert" className="rounded-6 bg-warn-soft px-4 py-2.5">
              Someone else changed it while you were here. What you did not touch shows their
              change; what you typed is still here. Save again to keep it.
            </p>
          ) : (
            save.error !== null && <FormProblem error={save.error} />
          )}
          <ApplicationFields />
          <div className="flex justify-end">
            <Button
              look="primary"
              type="submit"
              disabled={!form.formState.isDirty}
              isBusy={save.isPending}
            >
              {save.isPending ? 'Saving…' : 'Save'}
            </Button>
          </div>
        </form>
      </FormProvider>
    </Panel>
  );
}
