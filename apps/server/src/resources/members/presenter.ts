import type { CreateMemberResponse, Member, RemoveMemberResponse } from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';

export function presentMember({ id, email, name, role, createdAt }: User): Member {
  return { id, email, name, role, createdAt: createdAt.toISOString() };
}

/** The only response that contains the invitation. */
export function presentMemberWithInvitation(
  member: User,
  invitation: string,
): CreateMemberResponse {
  return { member: presentMember(member), invitation };
}

export function presentRemoval(
  applications: readonly { readonly id: string; readonly name: string }[],
): RemoveMemberResponse {
  return { applications: applications.map(({ id, name }) => ({ id, name })) };
}
