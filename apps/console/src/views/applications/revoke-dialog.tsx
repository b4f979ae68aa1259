import type { Application, RevokedAccess } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { TokensEnd } from './tokens-end.tsx';
import { WhatEnds } from './what-ends.tsx';

interface RevokeDialogProps {
  readonly application: Application;
  readonly onClose: () => void;
  readonly onRevoked: (revoked: RevokedAccess) => void;
}

/** All access through an application ends at once; the application stays. */
export function RevokeDialog({ application, onClose, onRevoked }: RevokeDialogProps) {
  const { id, name } = application;
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => gatehouse.applications.revokeAccess(id),
    onSuccess: async ({ revoked }) => {
      await queries.invalidateQueries({ queryKey: ['applications'] });
      onRevoked(revoked);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Revoke all access of ${name}?`}>
      <div className="grid gap-3">
        {revoke.error !== null && <FormProblem error={revoke.error} />}
        <WhatEnds application={application} />
        <TokensEnd application={application} />
        <p className="text-ink-2">The application stays as it is, and people may sign in again.</p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          {revoke.isPending ? 'Revoking…' : 'Revoke access'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
