import type { Application, RevokedAccess } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { say, sayProblem } from '../../components/announcements.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { Receipt } from './receipt.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

/** What ends access through an application, each after it was shown what ends. */
export function ApplicationActions({ application }: { application: Application }) {
  const { id, name, archivedAt, canModify } = application;
  const [asked, setAsked] = useState<'archive' | 'revoke'>();
  const [receipt, setReceipt] = useState<RevokedAccess>();
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => gatehouse.applications.restore(id),
    onSuccess: () => say(`${name} is restored.`),
    onError: (error) => sayProblem('It is still archived.', error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
  // An archived application cannot be changed by anyone, so `canModify` is false there.
  if (archivedAt !== null) {
    return (
      <Button look="primary" isBusy={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
    );
  }
  if (!canModify) return null;
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu
        align="end"
        label="More actions"
        className={`${buttonClass()} px-2`}
        trigger={<Icon name="more" />}
      >
        <MenuItem onSelect={() => setAsked('revoke')}>Revoke access</MenuItem>
        <MenuItem onSelect={() => setAsked('archive')}>Archive</MenuItem>
      </Menu>
      {asked === 'archive' && <ArchiveDialog application={application} onClose={close} />}
      {asked === 'revoke' && (
        <RevokeDialog
          application={application}
          onClose={close}
          onRevoked={(revoked) => {
            close();
            setReceipt(revoked);
          }}
        />
      )}
      {receipt !== undefined && (
        <Receipt name={name} revoked={receipt} onClose={() => setReceipt(undefined)} />
      )}
    </>
  );
}
