import type { Token } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';

interface RevokeDialogProps {
  readonly token: Token;
  readonly onClose: () => void;
}

/** What stops working, before it does: it cannot be undone. */
export function RevokeDialog({ token, onClose }: RevokeDialogProps) {
  const { id, name, scopes, lastUsedAt } = token;
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => gatehouse.tokens.revoke(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tokens'] });
      say(`${name} is revoked.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Revoke ${name}?`}>
      <div className="grid gap-3">
        {revoke.error !== null && <FormProblem error={revoke.error} />}
        <p>
          {lastUsedAt === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used <Time at={lastUsedAt} />.
            </>
          )}{' '}
          Every program that has it is refused at once
          {scopes.includes('mcp') && ', and the sessions that it opened at the gateway end'}.
        </p>
        <p className="text-ink-2">
          It cannot be undone. Your other tokens, and the clients that you signed in with, keep
          working.
        </p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          {revoke.isPending ? 'Revoking…' : 'Revoke'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
