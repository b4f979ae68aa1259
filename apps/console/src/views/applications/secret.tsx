import type { Application, ApplicationOauth } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { SecretOnce } from './secret-once.tsx';

interface SecretProps {
  readonly application: Application;
  readonly oauth: ApplicationOauth;
  readonly isReadOnly: boolean;
}

/** Whether there is a secret, and how to replace it. It is never shown again. */
export function Secret({ application, oauth, isReadOnly }: SecretProps) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => gatehouse.applications.rotateSecret(application.id),
    onSuccess: async () => {
      setAsking(false);
      await queries.invalidateQueries({ queryKey: ['applications'] });
    },
    // The response holds the secret: it is forgotten with this view.
    gcTime: 0,
  });
  if (oauth.type === 'public') return 'A public client has no secret';
  const secret = rotate.data?.oauth.clientSecret;
  return (
    <>
      {oauth.clientSecretConfigured ? 'Stored' : 'Not made yet'}
      {!isReadOnly && (
        <Button size="small" className="ml-2" onClick={() => setAsking(true)}>
          {oauth.clientSecretConfigured ? 'Replace' : 'Make one'}
        </Button>
      )}
      {isAsking && (
        <Dialog isOpen onClose={() => setAsking(false)} title="Replace the client secret?">
          {rotate.error !== null && <FormProblem error={rotate.error} />}
          <p>
            The present secret stops working at once. Tokens that were issued live until they
            expire; getting new ones needs the new secret.
          </p>
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button look="danger" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
              {rotate.isPending ? 'Replacing…' : 'Replace'}
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {secret !== undefined && (
        <SecretOnce name={application.name} secret={secret} onClose={rotate.reset} />
      )}
    </>
  );
}
