import { type CreateGroupBody, createGroupBodySchema, limits } from '@gatehouse/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import type { ReactNode } from 'react';
import { type UseFormSetError, useForm } from 'react-hook-form';
import * as z from 'zod';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { NameField } from '../name-field.tsx';

/** What the form holds: an external id that is empty is no external id. */
export interface GroupValues {
  name: string;
  externalId: string;
}

const formSchema = z.object({
  name: createGroupBodySchema.shape.name,
  externalId: z
    .string()
    .transform((text) => (text === '' ? null : text))
    .pipe(createGroupBodySchema.shape.externalId.unwrap()),
});

interface GroupFormProps {
  readonly initial: GroupValues;
  /** Above the fields: what was not saved, and why. */
  readonly problem: ReactNode;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onSubmit: (body: CreateGroupBody, setError: UseFormSetError<GroupValues>) => void;
  readonly onClose: () => void;
}

/** The name of a group, and who decides who is in it. */
export function GroupForm({ initial, problem, action, isBusy, onSubmit, onClose }: GroupFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<
    GroupValues,
    unknown,
    CreateGroupBody
  >({ resolver: zodResolver(formSchema), defaultValues: initial });
  const { errors } = formState;
  return (
    <DialogForm
      error={null}
      isDirty={formState.isDirty}
      action={action}
      isBusy={isBusy}
      onSubmit={handleSubmit((body) => onSubmit(body, setError))}
      onClose={onClose}
    >
      {problem}
      <NameField registered={register('name')} error={errors.name?.message} />
      <Field
        label="External id"
        isOptional
        error={errors.externalId?.message}
        hint="What the identity provider calls the group in its claim, compared exactly. Who is in the group then follows the claim at each sign-in. Leave it empty to choose the members here."
      >
        {(field) => (
          <input
            {...field}
            {...register('externalId')}
            maxLength={limits.externalId}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
    </DialogForm>
  );
}
