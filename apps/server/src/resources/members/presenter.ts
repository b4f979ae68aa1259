import type {
  CreateMemberResponse,
  Member,
  RemoveMemberResponse,
  SignInLinkResponse,
} from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';
import type { NamedRow } from './repository.ts';
import type { MemberRemains } from './service.ts';

export function presentMember({ id, email, name, role, createdAt }: User): Member {
  return { id, email, name, role, createdAt: createdAt.toISOString() };
}

/** The only response that contains the invitation. */
export function presentMemberWithInvitation(
  member: User,
  invitation: { readonly token: string; readonly url: string },
): CreateMemberResponse {
  return {
    member: presentMember(member),
    invitation: invitation.token,
    invitationUrl: invitation.url,
  };
}

/** The only response that contains the link. */
export function presentSignInLink(url: string, expiresAt: Date): SignInLinkResponse {
  return { url, expiresAt: expiresAt.toISOString() };
}

export function presentRemoval({ applications, groups }: MemberRemains): RemoveMemberResponse {
  return { applications: applications.map(presentNamed), groups: groups.map(presentNamed) };
}

function presentNamed({ id, name }: NamedRow): NamedRow {
  return { id, name };
}
