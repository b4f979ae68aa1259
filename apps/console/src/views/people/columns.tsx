import { memberRoleLabels } from '@gatehouse/contract';
import type { Me, Member } from '@gatehouse/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { labelOf } from '../../api/labels.ts';
import { buttonClass } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Logo } from '../../components/logo.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { Tag } from '../../components/pairs.tsx';
import type { Column } from '../../components/sort-rows.ts';
import { accessOf } from '../access/search.ts';
import { timeColumn } from '../time-column.tsx';
import { mayChange } from './rules.ts';

/** What can be done with a member. */
export type Action = 'edit' | 'link' | 'revoke' | 'remove';

type Ask = (action: Action, member: Member) => void;

/** @param ask opens the dialog of an action */
export function columnsOf(me: Me, ask: Ask): readonly Column<Member, ReactNode>[] {
  return [
    {
      id: 'name',
      header: 'Person',
      sortBy: ({ name }) => name,
      cell: ({ id, name, email, role }) => (
        <span className="flex min-w-0 items-center gap-2.5 py-1">
          <Logo name={name} />
          <span className="min-w-0">
            <span className="flex items-center gap-2">
              <span className="foreign line-clamp-1 max-w-[44ch] font-medium">{name}</span>
              {id === me.user.id && <Tag>You</Tag>}
            </span>
            <span className="foreign line-clamp-1 text-12 text-ink-3">{email}</span>
            <span className="text-12 text-ink-3 wide:hidden">
              {labelOf(memberRoleLabels, role)}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      isOptional: true,
      sortBy: ({ role }) => labelOf(memberRoleLabels, role),
      cell: ({ role }) => labelOf(memberRoleLabels, role),
    },
    timeColumn({ id: 'added', header: 'Added', timeOf: ({ createdAt }) => createdAt }),
    {
      id: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      cell: (member) => (
        <span className="inline-flex items-center gap-1">
          {mayChange(me, member) || (
            <span className="text-12 text-ink-3 max-[560px]:sr-only">Changed by owners</span>
          )}
          <Link
            to="/access"
            search={accessOf(member.id)}
            aria-label={`Access of ${member.name}`}
            className={buttonClass('secondary', 'small')}
          >
            Access
          </Link>
          {mayChange(me, member) && (
            <Actions member={member} isSelf={member.id === me.user.id} ask={ask} />
          )}
        </span>
      ),
    },
  ];
}

interface ActionsProps {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly ask: Ask;
}

/** Nobody removes or locks out themselves here: another admin can. */
function Actions({ member, isSelf, ask }: ActionsProps) {
  const navigate = useNavigate();
  const showLog = () => void navigate({ to: '/activity/log', search: { userId: member.id } });
  return (
    <Menu
      align="end"
      label={`Actions for ${member.name}`}
      className={`${buttonClass('plain', 'small')} px-1.5`}
      trigger={<Icon name="more" />}
    >
      <MenuItem onSelect={() => ask('edit', member)}>Edit</MenuItem>
      <MenuItem onSelect={() => ask('link', member)}>Sign-in link</MenuItem>
      <MenuItem onSelect={showLog}>Log</MenuItem>
      {!isSelf && (
        <>
          <MenuItem onSelect={() => ask('revoke', member)}>Revoke access</MenuItem>
          <MenuItem onSelect={() => ask('remove', member)}>Remove</MenuItem>
        </>
      )}
    </Menu>
  );
}
