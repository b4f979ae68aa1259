import type { Member } from '@gatehouse/sdk';
import { useMe } from '../../shell/me.ts';
import type { Action } from './columns.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

interface MemberDialogProps {
  readonly action: Action;
  readonly member: Member;
  readonly onClose: () => void;
}

/** The dialog of what was chosen for a member. */
export function MemberDialog({ action, ...rest }: MemberDialogProps) {
  const { user } = useMe();
  switch (action) {
    case 'edit':
      return <EditDialog {...rest} isSelf={rest.member.id === user.id} />;
    case 'link':
      return <LinkDialog {...rest} />;
    case 'revoke':
      return <RevokeDialog {...rest} />;
    case 'remove':
      return <RemoveDialog {...rest} />;
  }
}
