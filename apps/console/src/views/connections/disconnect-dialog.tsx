import type { Integration } from '@gatehouse/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Load } from '../../components/load.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { WithNames } from '../../components/with-names.tsx';
import { useIsAdmin, useMe } from '../../shell/me.ts';
import { firstNames } from '../first-names.ts';
import { type UsedThrough, usedThroughQuery } from './used-through.ts';

interface DisconnectDialogProps {
  readonly integration: Integration;
  readonly onClose: () => void;
}

/** What stops working, before it does: it cannot be undone. */
export function DisconnectDialog({ integration, onClose }: DisconnectDialogProps) {
  const { id, name, authMode } = integration;
  const queries = useQueryClient();
  const { user } = useMe();
  const using = useQuery(usedThroughQuery(id, user.id, useIsAdmin()));
  const disconnect = useMutation({
    mutationFn: () =>
      gatehouse.request('DELETE', '/integrations/:id/connection', { params: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['integrations'] });
      say(`${name} is disconnected.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Disconnect ${name}?`}>
      <div className="grid gap-3">
        {disconnect.error !== null && <FormProblem error={disconnect.error} />}
        <Load query={using} skeleton={<SkeletonText lines={2} />}>
          {(through) => (
            <p>
              <UsedThroughSentence {...through} /> Other people keep their connections.
            </p>
          )}
        </Load>
        <p className="text-ink-2">
          {authMode === 'oauth'
            ? 'The grant is revoked at the provider too, if it can do that. You can connect again at any time.'
            : 'The stored credential is deleted. It stays valid at the server until you end it there.'}
        </p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={disconnect.isPending} onClick={() => disconnect.mutate()}>
          {disconnect.isPending ? 'Disconnecting…' : 'Disconnect'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function UsedThroughSentence({ names, isPartial }: UsedThrough) {
  if (names.length === 0) {
    return isPartial
      ? 'Not all applications could be read: it may stop working for you in some.'
      : 'You do not use it through any application now.';
  }
  return (
    <>
      It stops working for you in <WithNames text={firstNames(names)} />
      {isPartial && ', and perhaps in others'}.
    </>
  );
}
