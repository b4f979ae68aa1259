import { isApiError } from '@gatehouse/sdk';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { ApplicationFields } from './application-fields.tsx';
import { type ApplicationRead, type SettingsValues, useSaving, valuesOf } from './use-saving.ts';

const PART_SAVED =
  'The redirect URIs and the choice below them are saved. The rest is not: it stays as you typed it.';

/** Changes an application as it was read first: a change of someone else in between is named, not overwritten. */
export function SettingsForm({ read }: { read: ApplicationRead }) {
  const [base, setBase] = useState(read);
  const form = useForm<SettingsValues>({ defaultValues: valuesOf(base.application) });
  const { save, isPartSaved } = useSaving({ base, setBase, form });
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
              change; what you typed is still here. Save again to keep it.{' '}
              {isPartSaved && PART_SAVED}
            </p>
          ) : (
            save.error !== null && (
              <FormProblem error={save.error} meaning={isPartSaved ? PART_SAVED : undefined} />
            )
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
