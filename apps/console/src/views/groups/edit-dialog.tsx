import type { CreateGroupBody } from '@gatehouse/contract';
import type { Group } from '@gatehouse/sdk';
import { isApiError } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { showAtFields } from '../../api/problems.ts';
import { say } from '../../components/announcements.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { GroupForm } from './group-form.tsx';
import { groupQuery } from './queries.ts';

const FIELDS = { name: 'name', externalId: 'externalId' } as const;

interface Read {
  readonly group: Group;
  readonly etag: string | undefined;
}

interface EditDialogProps {
  readonly read: Read;
  readonly onClose: () => void;
}

/** Changes a group as it was read first: another admin's change is shown, and overwritten only when seen. */
export function EditDialog({ read, onClose }: EditDialogProps) {
  // The query goes on refreshing; what the form began with does not.
  const [initial] = useState(read);
  const [theirs, setTheirs] = useState<Read>();
  const queries = useQueryClient();
  const { id } = initial.group;
  const save = useMutation({
    mutationFn: (body: CreateGroupBody) =>
      gatehouse.groups.update(id, body, { ifMatch: (theirs ?? initial).etag }),
    onSuccess: async ({ group }) => {
      await queries.invalidateQueries({ queryKey: ['groups'] });
      say(`${group.name} is saved.`);
      onClose();
    },
  });
  const problem =
    theirs === undefined ? (
      save.error !== null && <FormProblem error={save.error} />
    ) : (
      <p role="alert" className="foreign rounded-6 bg-warn-soft px-4 py-2.5">
        Another admin has changed it meanwhile: the name is {theirs.group.name}, the external id is{' '}
        {theirs.group.externalId ?? 'empty'}. Save again to have what you typed.
      </p>
    );
  return (
    <Dialog isOpen onClose={onClose} title={`Edit ${initial.group.name}`}>
      <GroupForm
        initial={{ name: initial.group.name, externalId: initial.group.externalId ?? '' }}
        problem={problem}
        action={save.isPending ? 'Saving…' : 'Save'}
        isBusy={save.isPending}
        onSubmit={(body, setError) =>
          save.mutate(body, {
            onError: async (error) => {
              if (isApiError(error) && error.code === 'precondition_failed') {
                setTheirs(await queries.fetchQuery({ ...groupQuery(id), staleTime: 0 }));
              } else {
                setTheirs(undefined);
                showAtFields(error, FIELDS, setError);
              }
            },
          })
        }
        onClose={onClose}
      />
    </Dialog>
  );
}
