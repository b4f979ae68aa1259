import { type MemberRole, memberRoleLabels } from '@gatehouse/contract';
import type { Me, Member } from '@gatehouse/sdk';
import { keysOf } from '../../api/keys-of.ts';

/** Whether the server would let a person change, link or remove a member: only owners do that to an owner. */
export function mayChange(me: Me, { role }: Member): boolean {
  return me.user.role === 'owner' || role !== 'owner';
}

/** The roles that a person may give. */
export function rolesToGive({ user }: Me): readonly MemberRole[] {
  return keysOf(memberRoleLabels).filter((role) => user.role === 'owner' || role !== 'owner');
}
