import type { Member } from '@gatehouse/sdk';
import { useMutation } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { Receipt } from '../receipt.tsx';

interface RevokeDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** All access of a member ends at once, without removing them; then how much that was. */
export function RevokeDialog({ member: { id, name }, onClose }: RevokeDialogProps) {
  const revoke = useMutation({ mutationFn: () => gatehouse.members.revokeAccess(id) });
  if (revoke.data !== undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={`Access of ${name} is revoked`}>
        <Receipt revoked={revoke.data.revoked} />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Revoke all access of ${name}?`}>
      <div className="grid gap-3">
        {revoke.error !== null && <FormProblem error={revoke.error} />}
        <p>
          Their tokens and invitations end at once, and with them what they had allowed clients to
          do, every browser in which they are signed in, and their open sessions at the gateway.
        </p>
        <p className="text-ink-2">
          They stay a member, with their role, groups, connections and applications, and can sign in
          again.
        </p>
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
