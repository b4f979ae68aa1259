import { type CreateMemberBody, createMemberBodySchema, limits } from '@gatehouse/contract';
import { isApiError } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { showAtFields } from '../../api/problems.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { NameField } from '../name-field.tsx';
import { RoleChoices } from './role-choices.tsx';

const FIELDS = { email: 'email', name: 'name', role: 'role' } as const;

interface InviteFormProps {
  readonly invite: {
    readonly error: unknown;
    readonly isPending: boolean;
    mutate(body: CreateMemberBody, options: { onError: (error: Error) => void }): void;
  };
  readonly onClose: () => void;
}

export function InviteForm({ invite, onClose }: InviteFormProps) {
  const form = useForm<CreateMemberBody>({
    resolver: zodResolver(createMemberBodySchema),
    defaultValues: { email: '', name: '', role: 'member' },
  });
  const { register, handleSubmit, setError, formState } = form;
  const { errors } = formState;
  const submit = handleSubmit((body) =>
    invite.mutate(body, {
      onError: (error) => {
        showAtFields(error, FIELDS, setError);
        if (isApiError(error) && error.code === 'email_taken') {
          setError('email', { message: 'A member has this address.' });
        }
      },
    }),
  );
  return (
    <DialogForm
      error={invite.error}
      isDirty={formState.isDirty}
      action={invite.isPending ? 'Inviting…' : 'Invite'}
      isBusy={invite.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="E-mail address" error={errors.email?.message}>
        {(field) => (
          <input
            {...field}
            {...register('email')}
            type="email"
            maxLength={limits.email}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
        )}
      </Field>
      <NameField registered={register('name')} error={errors.name?.message} />
      <RoleChoices registered={register('role')} />
    </DialogForm>
  );
}
