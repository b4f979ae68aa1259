import type { Group } from '@gatehouse/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { NamedAt } from './named-at.tsx';
import { groupPoliciesQuery } from './queries.ts';

interface DeleteDialogProps {
  readonly group: Group;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

/** Deletes a group, or says which policies name it. */
export function DeleteDialog({ group: { id, name }, etag, onClose }: DeleteDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const remove = useMutation({
    mutationFn: () => gatehouse.groups.delete(id, { ifMatch: etag }),
    onSuccess: async () => {
      if (isStillHere()) await navigate({ to: '/groups' });
      queries.removeQueries({ queryKey: ['groups', 'one', id] });
      queries.removeQueries({ queryKey: ['groups', 'members', id] });
      await queries.invalidateQueries({ queryKey: ['groups'] });
      say(`${name} is deleted.`);
    },
  });
  const { data: named } = useQuery(groupPoliciesQuery(id));
  const isNamed = named !== undefined && named.policies.length > 0;
  return (
    <Dialog isOpen onClose={onClose} title={`Delete ${name}?`}>
      <div className="grid gap-3">
        {remove.error !== null && <FormProblem error={remove.error} />}
        {isNamed ? (
          <div className="grid gap-1 rounded-6 bg-warn-soft px-4 py-2.5">
            <p className="font-medium">Policies name the group. Remove it from them first.</p>
            <NamedAt {...named} />
          </div>
        ) : (
          <p>Its members stay members of the organization. It cannot be undone.</p>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        {!isNamed && (
          <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Deleting…' : 'Delete'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
