import type { EndSessionsResponse, SessionsFilter } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Load } from '../../components/load.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { countOf, Ended } from './ended.tsx';
import { endPreviewQuery } from './queries.ts';
import { useEnding } from './use-ending.ts';

interface EndDialogProps {
  /** With an application, an integration or a person, without which the service ends nothing. */
  readonly filter: SessionsFilter;
  readonly onClose: () => void;
}

/** What would end, before it does; then what has ended. */
export function EndDialog({ filter, onClose }: EndDialogProps) {
  const preview = useQuery(endPreviewQuery(filter));
  const ending = useEnding(filter);
  const { receipt, end, isPending, error } = ending;
  if (receipt !== undefined) return <Receipt {...ending} receipt={receipt} onClose={onClose} />;
  const count = preview.data && countOf(preview.data.ended);
  return (
    <Dialog isOpen onClose={onClose} title="End all of these sessions?">
      <div className="grid gap-3">
        {error !== null && <FormProblem error={error} />}
        <Load query={preview} skeleton={<SkeletonText lines={4} />}>
          {(response) => <WhatEnds response={response} />}
        </Load>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{count === 0 ? 'Close' : 'Keep them'}</Button>
        {count !== undefined && count > 0 && (
          <Button look="danger" isBusy={isPending} onClick={end}>
            {isPending ? 'Ending…' : `End ${count.toLocaleString('en')}`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function WhatEnds({ response: { ended, items } }: { response: EndSessionsResponse }) {
  if (countOf(ended) === 0) return <p>No session of these is open now, so nothing would end.</p>;
  return (
    <>
      <p>This ends at once: their next request is refused, and open streams are cut.</p>
      <Ended ended={ended} items={items} />
      {ended.leases > 0 && (
        <p>
          What was handed out works until its server ends it. Its holder gets no other one for a
          while.
        </p>
      )}
      <p className="text-ink-2">
        Clients may begin again, since what people have allowed them stays. Revoking the access of
        an application or a person ends that too.
      </p>
    </>
  );
}

type ReceiptProps = ReturnType<typeof useEnding> & {
  readonly receipt: EndSessionsResponse;
  readonly onClose: () => void;
};

function Receipt({ receipt, end, isPending, error, onClose }: ReceiptProps) {
  const { ended, items, remaining } = receipt;
  return (
    <Dialog isOpen onClose={onClose} title="The sessions are ended">
      <div className="grid gap-3">
        {error !== null && <FormProblem error={error} />}
        <Ended ended={ended} items={items} />
        {remaining > 0 && <p>{remaining.toLocaleString('en')} more are open.</p>}
      </div>
      <DialogActions>
        {(remaining > 0 || isPending) && (
          <Button look="danger" isBusy={isPending} onClick={end}>
            {isPending ? 'Ending…' : 'End these too'}
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
