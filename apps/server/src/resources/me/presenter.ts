import type { Authentication, AuthenticationMethod, Me } from '@gatehouse/contract';
import type { Actor } from '../../identity/actor.ts';
import type { UserWithOrganization } from './repository.ts';

export function presentMe(user: UserWithOrganization, actor: Actor): Me {
  const { id, email, name, role, organization } = user;
  return {
    user: { id, email, name, role },
    organization: { id: organization.id, name: organization.name },
    authentication: presentAuthentication(actor),
  };
}

const METHODS: Readonly<Record<Actor['tokenKind'], AuthenticationMethod>> = {
  personal: 'personal_token',
  invitation: 'invitation',
  oauth: 'oauth',
};

function presentAuthentication(actor: Actor): Authentication {
  const { tokenKind, tokenId, scopes, tokenExpiresAt, authorization } = actor;
  return {
    method: METHODS[tokenKind],
    tokenId,
    scopes: [...scopes],
    ...(authorization === undefined ? {} : { applicationId: authorization.applicationId }),
    ...(tokenExpiresAt === null ? {} : { expiresAt: tokenExpiresAt.toISOString() }),
  };
}
