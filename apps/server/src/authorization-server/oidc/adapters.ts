import type { Request } from 'express';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { Prisma } from '../../generated/prisma/client.ts';
import { addressBlockOf } from '../../http/client-address.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import type { FindClient } from '../clients/oauth-client.ts';
import { clientMetadataOf } from '../clients/oidc-client.ts';
import { interactionKey } from '../consent/interaction.ts';
import { currentRequest, errors, eventRequestOf, Provider } from '../oidc-provider.ts';
import { revokeGrant } from '../tokens/revocation.ts';
import { normalizeParameters } from './parameters.ts';
import { createTokenAdapter, unused } from './token-adapter.ts';

export interface AdapterDeps {
  readonly store: Store;
  readonly findClient: FindClient;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * The storage of oidc-provider, by the name of its model.
 *
 * @param resumeUrl the URL where it resumes an interaction
 */
export function createAdapters(
  { store, findClient, publicUrl }: AdapterDeps,
  resumeUrl: (id: string) => string,
): AdapterFactory {
  const clients: Adapter = {
    ...unused,
    async find(clientId) {
      const { ctx } = Provider;
      const { ip = '' } = (ctx?.req ?? {}) as Partial<Request>;
      const client = await findClient(clientId, addressBlockOf(ip));
      if (client === undefined) return undefined;
      if (ctx !== undefined) normalizeParameters(ctx, client, publicUrl);
      return clientMetadataOf(client);
    },
  };
  return (model) => {
    switch (model) {
      case 'AuthorizationCode':
        return createTokenAdapter(store, 'code');
      case 'AccessToken':
      case 'ClientCredentials':
        return createTokenAdapter(store, 'access');
      case 'RefreshToken':
        return createTokenAdapter(store, 'refresh');
      case 'Grant':
        return createGrantAdapter(store);
      case 'Interaction':
        return createStateAdapter(store.db, resumeUrl);
      case 'Client':
        return clients;
      default:
        // Session among them: each request takes the person from our own browser session.
        return unused;
    }
  };
}

/**
 * Authorization requests under way, as oidc-provider's interactions. The id is enough to continue one,
 * so only its SHA-256 is stored, and the URL that contains the id is made at each read.
 *
 * @param resumeUrl the URL where oidc-provider resumes an interaction
 */
function createStateAdapter(db: Db, resumeUrl: (id: string) => string): Adapter {
  return {
    ...unused,
    async upsert(id, { jti: _jti, returnTo: _returnTo, ...payload }, expiresIn = 0) {
      const row = {
        payload: payload as Prisma.InputJsonObject,
        expiresAt: new Date(Date.now() + expiresIn * 1000),
      };
      const create = { id: interactionKey(id), createdAt: new Date(), ...row };
      await db.oauthState.upsert({ where: { id: interactionKey(id) }, update: row, create });
    },
    async find(id) {
      const row = await db.oauthState.findFirst({
        where: { id: interactionKey(id), expiresAt: { gt: new Date() } },
      });
      if (row === null) return undefined;
      return { ...(row.payload as AdapterPayload), jti: id, returnTo: resumeUrl(id) };
    },
    /** If several browsers return at once, one continues: a decision gives one code. */
    async destroy(id) {
      const { count } = await db.oauthState.deleteMany({ where: { id: interactionKey(id) } });
      if (count === 0) throw new errors.SessionNotFound('the authorization request has ended');
    },
  };
}

/** Grants, which the consent page writes, as oidc-provider reads and ends them. */
function createGrantAdapter(store: Store): Adapter {
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
    /** The client revokes a token of its grant (RFC 7009). */
    async destroy(id) {
      const grant = await store.db.grant.findUnique({
        where: { id },
        select: { id: true, organizationId: true, userId: true, applicationId: true },
      });
      if (grant === null) return;
      const { organizationId, userId, applicationId } = grant;
      const via = { kind: 'grant', id, applicationId } as const;
      const request = eventRequestOf(currentRequest());
      await revokeGrant(store, grant, { kind: 'person', organizationId, userId, via, request });
    },
  };
}
