import type { Application } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { TokensEnd } from './tokens-end.tsx';
import { WhatEnds } from './what-ends.tsx';

interface ArchiveDialogProps {
  readonly application: Application;
  readonly onClose: () => void;
}

/** Restoring brings the application back, and not the access that ended with it. */
export function ArchiveDialog({ application, onClose }: ArchiveDialogProps) {
  const { id, name } = application;
  const queries = useQueryClient();
  const archive = useMutation({
    mutationFn: () => gatehouse.applications.archive(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['applications'] });
      say(`${name} is archived.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Archive ${name}?`}>
      <div className="grid gap-3">
        {archive.error !== null && <FormProblem error={archive.error} />}
        <WhatEnds application={application} change={{ kind: 'archive', applicationId: id }} />
        <TokensEnd application={application} />
        <p className="text-ink-2">It can be restored, with its integrations.</p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={archive.isPending} onClick={() => archive.mutate()}>
          {archive.isPending ? 'Archiving…' : 'Archive'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
