import type { Application, AttachedIntegration } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { say } from '../../components/announcements.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { WhatEnds } from './what-ends.tsx';

interface DetachDialogProps {
  readonly application: Application;
  readonly integration: AttachedIntegration;
  readonly onClose: () => void;
}

/** Attaching again brings nothing back of what ends, so it is shown first. */
export function DetachDialog({ application, integration, onClose }: DetachDialogProps) {
  const { id, name } = application;
  const queries = useQueryClient();
  const detach = useMutation({
    mutationFn: () => gatehouse.applications.integrations.detach(id, integration.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['applications'] });
      say(`${integration.name} is detached.`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Detach ${integration.name}?`}>
      <div className="grid gap-3">
        {detach.error !== null && <FormProblem error={detach.error} />}
        <p className="foreign">
          {name} can no longer use it, for anyone. Its sessions there end at once, the tokens for it
          alone stop working, and the rules of this attachment are gone.
        </p>
        <WhatEnds
          application={application}
          integrationId={integration.id}
          change={{ kind: 'detach', applicationId: id, integrationId: integration.id }}
        />
        <p className="text-ink-2">People keep their connections, and other applications theirs.</p>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={detach.isPending} onClick={() => detach.mutate()}>
          {detach.isPending ? 'Detaching…' : 'Detach'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
