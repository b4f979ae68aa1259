import type { CreateGroupBody } from '@gatehouse/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { useStillHere } from '../use-still-here.ts';
import { GroupForm } from './group-form.tsx';

const FIELDS = { name: 'name', externalId: 'externalId' } as const;

/** Creates a group, and opens it to add its members. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const create = useMutation({
    mutationFn: (body: CreateGroupBody) => gatehouse.groups.create(body),
    onSuccess: async ({ group: { id, name } }) => {
      await queries.invalidateQueries({ queryKey: ['groups'] });
      say(`${name} is created.`);
      if (isStillHere()) await navigate({ to: '/groups/$id', params: { id } });
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Create a group">
      <GroupForm
        initial={{ name: '', externalId: '' }}
        problem={create.error !== null && <FormProblem error={create.error} />}
        action={create.isPending ? 'Creating…' : 'Create group'}
        isBusy={create.isPending}
        onSubmit={(body, setError) =>
          create.mutate(body, {
            onError: (error) => {
              showAtFields(error, FIELDS, setError);
            },
          })
        }
        onClose={onClose}
      />
    </Dialog>
  );
}
