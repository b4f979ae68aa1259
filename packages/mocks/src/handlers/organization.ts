import { type Contract, contract } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';

export const organization: Operations<Contract['organization']> = {
  update: {
    act({ state, actor: { organizationId }, body: { name }, requireFixed }) {
      const current = state.organizations.get(organizationId);
      if (!current) throw new Refusal('unauthenticated', 'There is no such organization.');
      requireFixed(contract.organization.update.body, current);
      const organization = { ...current, name: name ?? current.name };
      state.organizations.set(organizationId, organization);
      return { status: 200, body: { organization } };
    },
  },
};
