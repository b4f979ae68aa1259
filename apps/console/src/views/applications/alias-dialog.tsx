import {
  type UpdateAttachedIntegrationBody,
  updateAttachedIntegrationBodySchema,
} from '@gatehouse/contract';
import type { AttachedIntegration } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { Mono } from '../../components/pairs.tsx';
import { exampleOf } from './exposed-example.ts';

const FIELDS = { alias: 'alias' } as const;

interface AliasDialogProps {
  readonly applicationId: string;
  readonly integration: AttachedIntegration;
  readonly onClose: () => void;
}

/** What the names of an integration's tools begin with at the one URL. */
export function AliasDialog(props: AliasDialogProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title={`Alias of ${props.integration.name}`}>
      <AliasForm {...props} />
    </Dialog>
  );
}

function AliasForm({ applicationId, integration, onClose }: AliasDialogProps) {
  const { id, name, alias } = integration;
  const form = useForm<UpdateAttachedIntegrationBody>({
    resolver: zodResolver(updateAttachedIntegrationBodySchema),
    defaultValues: { alias },
  });
  const { register, handleSubmit, setError, watch, formState } = form;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: UpdateAttachedIntegrationBody) =>
      gatehouse.applications.integrations.update(applicationId, id, { alias: body.alias }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['applications'] });
      say(`The alias of ${name} is saved.`);
      onClose();
    },
    onError: (error) => {
      showAtFields(error, FIELDS, setError);
    },
  });
  return (
    <DialogForm
      error={save.error}
      isDirty={formState.isDirty}
      action={save.isPending ? 'Saving…' : 'Save'}
      isBusy={save.isPending}
      needsChange
      onSubmit={handleSubmit((body) => save.mutate(body))}
      onClose={onClose}
    >
      <Field
        label="Alias"
        error={formState.errors.alias?.message}
        hint="Small letters, digits and hyphens, at most 16. One integration of the application may have it empty: its names stay as they are."
      >
        {(control) => (
          <input
            {...control}
            {...register('alias')}
            maxLength={16}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={`${inputClass} max-w-60 font-mono`}
          />
        )}
      </Field>
      <p role="status">
        Its tool <Mono>search</Mono> is then <Mono>{exampleOf(watch('alias') ?? '')}</Mono>
      </p>
      <p className="text-ink-2">
        Clients see the new names when they list again. Whatever still uses the old ones fails.
      </p>
    </DialogForm>
  );
}
