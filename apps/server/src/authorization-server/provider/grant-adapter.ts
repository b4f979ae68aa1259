import type { Adapter } from 'oidc-provider';
import type { Store } from '../../platform/database/store.ts';
import { revokeGrant } from '../tokens/revoke-grant.ts';
import { unused } from './unused-adapter.ts';

/** Grants, which the consent page writes, as oidc-provider reads and ends them. */
export function createGrantAdapter(store: Store): Adapter {
  return {
    ...unused,
    async find(id) {
      const grant = await store.db.grant.findFirst({
        where: { id, expiresAt: { gt: new Date() } },
      });
      if (grant === null) return undefined;
      const scope = grant.scopes.join(' ');
      return {
        jti: id,
        kind: 'Grant',
        accountId: grant.userId,
        clientId: grant.clientId,
        resources: Object.fromEntries(grant.resources.map((resource) => [resource, scope])),
        iat: Math.floor(grant.createdAt.getTime() / 1000),
        exp: Math.floor(grant.expiresAt.getTime() / 1000),
      };
    },
    async destroy(id) {
      const grant = await store.db.grant.findUnique({
        where: { id },
        select: { id: true, organizationId: true },
      });
      if (grant !== null) await revokeGrant(store, grant);
    },
  };
}
