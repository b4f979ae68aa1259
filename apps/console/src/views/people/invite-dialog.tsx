import type { CreateMemberBody } from '@gatehouse/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ShownOnce } from '../shown-once.tsx';
import { InviteForm } from './invite-form.tsx';

/** Asks who is invited; then shows their link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const invite = useMutation({
    mutationFn: (body: CreateMemberBody) => gatehouse.members.create(body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
    // The response holds the link: it is forgotten with this dialog.
    gcTime: 0,
  });
  const { data: invited } = invite;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={invited === undefined ? 'Invite someone' : `${invited.member.name} is invited`}
    >
      {invited === undefined ? (
        <InviteForm invite={invite} onClose={onClose} />
      ) : (
        <ShownOnce
          text={invited.invitationUrl}
          label="the invitation link"
          done="I have sent it"
          onClose={onClose}
        >
          <p className="foreign">
            Send this link to {invited.member.email}: Gatehouse sends no mail. With it they choose a
            password and sign in.
          </p>
          <p>
            It works once, for seven days, and is shown only now. You can make another one at any
            time.
          </p>
        </ShownOnce>
      )}
    </Dialog>
  );
}
