import type { Member } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useBegunForm } from '../../api/begun-forms.ts';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { WhatEnds } from './removal.tsx';
import { RemovalReceipt } from './removal-receipt.tsx';

interface RemoveDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Removes a member after their name was typed; then says what is left to do. */
export function RemoveDialog({ member, onClose }: RemoveDialogProps) {
  const { id, name } = member;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => gatehouse.members.remove(id),
    onSuccess: async () => {
      await Promise.all(
        ['members', 'groups', 'applications'].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      );
    },
  });
  if (remove.data !== undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={`${name} is removed`}>
        <RemovalReceipt receipt={remove.data} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Remove ${name}?`}>
      <RemoveForm member={member} remove={remove} onClose={onClose} />
    </Dialog>
  );
}

interface RemoveFormProps extends RemoveDialogProps {
  readonly remove: {
    readonly error: unknown;
    readonly isPending: boolean;
    mutate(): void;
  };
}

function RemoveForm({ member, remove, onClose }: RemoveFormProps) {
  const { name } = member;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  useBegunForm(typed !== '');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isName = typed.trim() === name;
    setWrong(!isName);
    if (isName) remove.mutate();
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className="grid gap-3">
        {remove.error !== null && <FormProblem error={remove.error} />}
        <WhatEnds member={member} />
        <Field
          label={`Type ${name} to remove them`}
          error={isWrong ? 'This is not the name.' : undefined}
        >
          {(field) => (
            <input
              {...field}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className={inputClass}
            />
          )}
        </Field>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep them</Button>
        <Button look="danger" type="submit" isBusy={remove.isPending}>
          {remove.isPending ? 'Removing…' : 'Remove'}
        </Button>
      </DialogActions>
    </form>
  );
}
