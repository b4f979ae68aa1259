import { type CreateMemberBody, createMemberBodySchema, limits } from '@gatehouse/contract';
import { isApiError } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useBegunForm } from '../../api/begun-forms.ts';
import { showAtFields } from '../../api/problems.ts';
import { Button } from '../../components/button.tsx';
import { DialogActions } from '../../components/dialog.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { FormProblem } from '../../components/problem.tsx';
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
  useBegunForm(formState.isDirty);
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
    <form noValidate onSubmit={submit} className="grid gap-4">
      {invite.error !== null && <FormProblem error={invite.error} />}
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
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={invite.isPending}>
          {invite.isPending ? 'Inviting…' : 'Invite'}
        </Button>
      </DialogActions>
    </form>
  );
}
