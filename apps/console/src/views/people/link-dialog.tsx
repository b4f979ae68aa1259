import type { Member } from '@gatehouse/sdk';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Choice, ChoiceGroup } from '../../components/choice.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { ShownOnce } from '../shown-once.tsx';

const PURPOSES = [
  {
    purpose: undefined,
    label: 'What fits',
    sentence: 'An invitation again, or a new password for someone who has one.',
  },
  {
    purpose: 'invitation',
    label: 'Invitation',
    sentence: 'To choose a first password. It works once, for seven days.',
  },
  {
    purpose: 'reset',
    label: 'New password',
    sentence: 'To choose another password. It works once, for one hour.',
  },
] as const;

interface LinkDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Makes a link with which a member chooses a password, and shows it once. */
export function LinkDialog({ member: { id, name, email }, onClose }: LinkDialogProps) {
  const [chosen, setChosen] = useState<(typeof PURPOSES)[number]>(PURPOSES[0]);
  const make = useMutation({
    mutationFn: () =>
      gatehouse.request('POST', '/members/:id/sign-in-link', {
        params: { id },
        body: { ...(chosen.purpose !== undefined && { purpose: chosen.purpose }) },
      }),
    // The response holds the link: it is forgotten with this dialog.
    gcTime: 0,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Dialog isOpen onClose={onClose} title={`Sign-in link for ${name}`}>
      {make.data === undefined ? (
        <form noValidate onSubmit={submit} className="grid gap-4">
          {make.error !== null && <FormProblem error={make.error} />}
          <ChoiceGroup legend="What it is for">
            {PURPOSES.map((each) => (
              <Choice
                key={each.label}
                type="radio"
                name="purpose"
                checked={each === chosen}
                onChange={() => setChosen(each)}
                label={each.label}
                sentence={each.sentence}
              />
            ))}
          </ChoiceGroup>
          <p className="text-ink-2">A former link for the same purpose stops working.</p>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" type="submit" isBusy={make.isPending}>
              {make.isPending ? 'Making…' : 'Make the link'}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <ShownOnce
          text={make.data.url}
          label="the sign-in link"
          done="I have sent it"
          onClose={onClose}
        >
          <p className="foreign">
            Send this link to {email}: Gatehouse sends no mail. Who opens it first signs in as{' '}
            {name}.
          </p>
          <p>
            It works once, and ends <Time at={make.data.expiresAt} />. It is shown now alone.
          </p>
        </ShownOnce>
      )}
    </Dialog>
  );
}
