import type { Application, RevokedAccess } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { Receipt } from './receipt.tsx';
import { restoreNow } from './restore-now.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { useAsk } from './use-ask.ts';

const route = getRouteApi('/applications/$id');

/** What ends access through an application, each after it was shown what ends. */
export function ApplicationActions({ application }: { application: Application }) {
  const { name, archivedAt, canModify } = application;
  const { ask: asked } = route.useSearch();
  const ask = useAsk();
  const [receipt, setReceipt] = useState<RevokedAccess>();
  const queries = useQueryClient();
  const restore = useMutation({ mutationFn: () => restoreNow(queries, application) });
  // An archived application cannot be changed by anyone, so `canModify` is false there.
  if (archivedAt !== null) {
    return (
      <Button look="primary" isBusy={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
    );
  }
  if (!canModify) return null;
  const close = () => ask(undefined);
  return (
    <>
      <Menu
        align="end"
        label="More actions"
        className={`${buttonClass()} px-2`}
        trigger={<Icon name="more" />}
      >
        <MenuItem onSelect={() => ask('revoke')}>Revoke access</MenuItem>
        <MenuItem onSelect={() => ask('archive')}>Archive</MenuItem>
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
