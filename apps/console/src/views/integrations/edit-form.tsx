import type { Integration } from '@gatehouse/sdk';
import { isApiError } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { EditFields } from './edit-fields.tsx';
import { changedBody, type EditValues, valuesOf } from './edit-values.ts';
import { Meanwhile } from './meanwhile.tsx';
import { integrationQuery } from './queries.ts';

/** The fields of the form have the names of the body. */
const FIELDS = {
  name: 'name',
  url: 'url',
  serverToken: 'serverToken',
  credentialSchema: 'credentialSchema',
  validateEveryMinutes: 'validateEveryMinutes',
} as const;

interface Read {
  readonly integration: Integration;
  readonly etag: string | undefined;
}

/** Changes an integration as it was read first: what others change meanwhile is shown, and never overwritten unseen. */
export function EditForm({ read }: { read: Read }) {
  // The query goes on refreshing; what the form began with does not.
  const [base, setBase] = useState(read);
  const [theirs, setTheirs] = useState<Read>();
  const form = useForm<EditValues>({ defaultValues: valuesOf(base.integration) });
  const { handleSubmit, setError, formState } = form;
  const { id } = base.integration;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const save = useMutation({
    mutationFn: (values: EditValues) =>
      gatehouse.integrations.update(id, changedBody(base.integration, values), {
        ifMatch: base.etag,
      }),
    onSuccess: async ({ integration }) => {
      await queries.invalidateQueries({ queryKey: ['integrations'] });
      form.reset(valuesOf(integration));
      say(`${integration.name} is saved.`);
      if (isStillHere()) await navigate({ to: '/integrations/$id', params: { id } });
    },
    onError: async (error) => {
      if (isApiError(error) && error.code === 'precondition_failed') {
        setTheirs(await queries.fetchQuery({ ...integrationQuery(id), staleTime: 0 }));
      } else {
        showAtFields(error, FIELDS, setError);
      }
    },
  });
  useBegunForm(formState.isDirty && !save.isSuccess);
  const takeOver = (kept: Partial<EditValues>) => {
    if (theirs === undefined) return;
    setBase(theirs);
    setTheirs(undefined);
    save.reset();
    const values = { ...valuesOf(theirs.integration), ...kept };
    form.reset(values, { keepDirty: true });
  };
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={handleSubmit((values) => save.mutate(values))}
        className="grid gap-5 p-4"
      >
        {theirs !== undefined ? (
          <Meanwhile
            base={base.integration}
            theirs={theirs.integration}
            mine={form.getValues()}
            onContinue={takeOver}
          />
        ) : (
          save.error !== null && <FormProblem error={save.error} />
        )}
        <EditFields integration={base.integration} />
        <div className="flex flex-wrap justify-end gap-2">
          <Link to="/integrations/$id" params={{ id }} className={buttonClass()}>
            Cancel
          </Link>
          <Button
            look="primary"
            type="submit"
            disabled={theirs !== undefined}
            isBusy={save.isPending}
          >
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
