import type { CreateTokenBody } from '@gatehouse/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { CreateForm } from './create-form.tsx';

/** Asks what a token is for; then shows its secret, once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (body: CreateTokenBody) => gatehouse.tokens.create(body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
    // The response holds the secret: it is forgotten with this dialog.
    gcTime: 0,
  });
  const { data: created } = create;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={created === undefined ? 'Create a token' : `${created.token.name} is created`}
    >
      {created === undefined ? (
        <CreateForm create={create} onClose={onClose} />
      ) : (
        <ShownOnce
          text={created.secret}
          label="the token"
          file={`${created.token.name} token`}
          done="I have stored it"
          onClose={onClose}
        >
          <p>
            Store it where the program reads its secrets. Whoever has it acts as you. It is shown
            only once, now.
          </p>
        </ShownOnce>
      )}
    </Dialog>
  );
}
