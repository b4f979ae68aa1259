import { type UpdateMemberBody, updateMemberBodySchema } from '@gatehouse/contract';
import type { Member } from '@gatehouse/sdk';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { NameField } from '../name-field.tsx';
import { RoleChoices } from './role-choices.tsx';

const FIELDS = { name: 'name', role: 'role' } as const;

interface EditDialogProps {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}

/** The name of a member, and what they may do. */
export function EditDialog(props: EditDialogProps) {
  return (
    <Dialog isOpen onClose={props.onClose} title={`Edit ${props.member.name}`}>
      <EditForm {...props} />
    </Dialog>
  );
}

/** What is not changed is not sent. */
function EditForm({ member, isSelf, onClose }: EditDialogProps) {
  const { id, name, role } = member;
  const form = useForm<UpdateMemberBody>({
    resolver: zodResolver(updateMemberBodySchema),
    defaultValues: { name, ...(!isSelf && { role: role as UpdateMemberBody['role'] }) },
  });
  const { register, handleSubmit, setError, formState } = form;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: UpdateMemberBody) =>
      gatehouse.members.update(id, {
        ...(body.name !== name && { name: body.name }),
        ...(body.role !== role && { role: body.role }),
      }),
    onSuccess: async (response) => {
      await queries.invalidateQueries({ queryKey: ['members'] });
      if (isSelf) await queries.invalidateQueries({ queryKey: ['me'] });
      say(`${response.member.name} is saved.`);
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
      <NameField registered={register('name')} error={formState.errors.name?.message} />
      {isSelf ? (
        <p className="text-ink-2">Your role is changed by another owner or admin.</p>
      ) : (
        <>
          <RoleChoices registered={register('role')} />
          <p className="text-ink-2">
            A change of the role holds from their next request. An invitation that they have not
            used yet ends with a higher role: make them a sign-in link then.
          </p>
        </>
      )}
    </DialogForm>
  );
}
