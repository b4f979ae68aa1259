import { contract } from '@gatehouse/contract';
import { mockRoute, problem } from '../src/index.ts';

// Guards: a mock can only answer what the contract declares.
declare const page: { items: []; nextCursor: null };
declare const cut: { items: [] };
mockRoute(contract.integrations.list, () => ({ status: 200, body: page }));
mockRoute(contract.integrations.list, async () => problem('rate_limited'));
mockRoute(contract.integrations.archive, () => ({ status: 204, body: undefined }));

// @ts-expect-error the body lacks nextCursor
mockRoute(contract.integrations.list, () => ({ status: 200, body: cut }));

// @ts-expect-error a list is never answered with 201
mockRoute(contract.integrations.list, () => ({ status: 201, body: page }));

// @ts-expect-error no management operation declares 504
mockRoute(contract.integrations.list, () => problem('upstream_timeout'));

// @ts-expect-error there is no such problem
problem('made_up');

// Guards: a resolver reads what the contract's schemas give, not the raw request.
mockRoute(contract.integrations.list, ({ query }) => {
  const limit: number = query.limit;
  // @ts-expect-error a list takes no body
  limit satisfies typeof query.body;
  return problem('forbidden');
});
mockRoute(contract.members.update, ({ params, body }) => {
  const id: string = params.id;
  const role: 'owner' | 'admin' | 'member' | undefined = body.role;
  return problem(role === 'owner' ? 'forbidden' : 'not_found', { detail: id });
});
