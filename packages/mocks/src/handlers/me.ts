import type { Authentication, Contract } from '@gatehouse/contract';
import type { Actor } from '../http/actor.ts';
import type { Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';

export const me: Operations<Contract['me']> = {
  get: {
    act({ state, actor }) {
      const user = state.users.get(actor.userId);
      const organization = state.organizations.get(actor.organizationId);
      if (!user || !organization) throw new Refusal('unauthenticated', 'There is no such user.');
      const { id, email, name, role } = user;
      const authentication = authenticationOf(actor);
      const body = { user: { id, email, name, role }, organization, authentication };
      return { status: 200, body };
    },
  },
};

function authenticationOf({ tokenKind, tokenId, scopes, tokenExpiresAt }: Actor): Authentication {
  return {
    method: tokenKind === 'personal' ? 'personal_token' : 'invitation',
    tokenId,
    scopes: [...scopes],
    ...(tokenExpiresAt === null ? {} : { expiresAt: tokenExpiresAt }),
  };
}
