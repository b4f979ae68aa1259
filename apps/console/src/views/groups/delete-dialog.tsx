import type { Group } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { explain } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { NamedAt } from './named-at.tsx';
import { placesOf } from './places.ts';

interface DeleteDialogProps {
  readonly group: Group;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** Deletes a group, or says which policies name it. */
export function DeleteDialog({ group: { id, name }, etag, onClose }: DeleteDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => gatehouse.groups.delete(id, { ifMatch: etag }),
    onSuccess: async () => {
      await navigate({ to: '/groups' });
      queries.removeQueries({ queryKey: ['groups', 'one', id] });
      queries.removeQueries({ queryKey: ['groups', 'members', id] });
      await queries.invalidateQueries({ queryKey: ['groups'] });
      say(`${name} is deleted.`);
    },
  });
  const places = placesOf(remove.error);
  return (
    <Dialog isOpen onClose={onClose} title={`Delete ${name}?`}>
      <div className="grid gap-3">
        {places === undefined ? (
          remove.error !== null && <FormProblem error={remove.error} />
        ) : (
          <div role="alert" className="rounded-6 bg-warn-soft px-4 py-2.5">
            <p className="font-medium">{explain(remove.error).sentence}</p>
            <NamedAt places={places} />
          </div>
        )}
        <p>
          Its members stay members of the organization. A group that a policy names is not deleted:
          then you learn which. It cannot be undone.
        </p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Deleting…' : 'Delete'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
