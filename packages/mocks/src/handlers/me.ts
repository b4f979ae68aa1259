import type { Contract } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';

export const me: Operations<Contract['me']> = {
  get: {
    act({ state, actor }) {
      const user = state.users.get(actor.userId);
      const organization = state.organizations.get(actor.organizationId);
      if (!user || !organization) throw new Refusal('unauthenticated', 'There is no such user.');
      const { id, email, name, role } = user;
      return { status: 200, body: { user: { id, email, name, role }, organization } };
    },
  },
};
