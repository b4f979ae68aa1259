import {
  type Authentication,
  type AuthenticationMethod,
  contract,
  type Me,
} from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { presentOrganization } from '../organization/presenter.ts';
import type { RouterDeps } from '../router-deps.ts';
import { requireMe, type UserWithOrganization } from './repository.ts';

export function meRouter({ store }: RouterDeps) {
  return initServer().router(contract.me, {
    get: async ({ res }) => {
      const actor = actorOf(res);
      const user = await requireMe(store.db, actor);
      return { status: 200, body: presentMe(user, actor) };
    },
  });
}

function presentMe(user: UserWithOrganization, actor: PersonCaller): Me {
  const { id, email, name, role, organization } = user;
  return {
    user: { id, email, name, role },
    organization: presentOrganization(organization),
    authentication: presentAuthentication(actor),
  };
}

const METHODS: Readonly<Record<PersonCaller['via']['kind'], AuthenticationMethod>> = {
  personal_token: 'personal_token',
  invitation: 'invitation',
  grant: 'oauth',
  browser_session: 'console',
};

function presentAuthentication({ via, scopes, expiresAt }: PersonCaller): Authentication {
  return {
    method: METHODS[via.kind],
    tokenId: via.id,
    // No token with the scope credentials is for the management API.
    scopes: scopes.filter((scope) => scope !== 'credentials'),
    ...(via.kind === 'grant' ? { applicationId: via.applicationId } : {}),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
  };
}
