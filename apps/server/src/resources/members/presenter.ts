import type {
  CreateMemberResponse,
  Member,
  RemoveMemberResponse,
  SignInLinkResponse,
} from '@gatehouse/contract';
import type { User } from '../../generated/prisma/client.ts';

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

export function presentRemoval(
  applications: readonly { readonly id: string; readonly name: string }[],
): RemoveMemberResponse {
  return { applications: applications.map(({ id, name }) => ({ id, name })) };
}
