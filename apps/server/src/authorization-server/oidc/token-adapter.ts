import type { Response } from 'express';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { type OauthToken, Prisma } from '../../generated/prisma/client.ts';
import type { OauthTokenKind } from '../../generated/prisma/enums.ts';
import { contextOf } from '../../http/context.ts';
import { service } from '../../identity/actor.ts';
import type { Db, Store } from '../../platform/database/store.ts';
import { currentRequest, eventRequestOf } from '../oidc-provider.ts';
import { revokeAccessToken, revokeGrant } from '../tokens/revocation.ts';
import { hashOf, type NewOauthToken, newOauthToken, payloadOf } from '../tokens/stored-token.ts';
import { lockBasis } from '../tokens/token-basis.ts';
import { insertTokens, writesOf } from '../tokens/token-writes.ts';

/** The functions of an adapter that oidc-provider does not call for a model, or that have no effect for it. */
export const unused: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/**
 * Codes and tokens of one kind. The writes of a token request wait until its end: see `token-writes.ts`.
 */
export function createTokenAdapter(store: Store, kind: OauthTokenKind): Adapter {
  return {
    ...unused,
    async upsert(value, payload) {
      const token = newOauthToken(kind, value, payload);
      if (kind === 'code') await insertCode(store, token);
      else writesOf(currentRequest()).issued.push(token);
    },
    async consume(value) {
      writesOf(currentRequest()).used = { kind, hash: hashOf(value) };
    },
    find: (value) => find(store, kind, value),
    /** The client revokes it (RFC 7009). A refresh token goes with its grant. */
    async destroy(value) {
      if (kind !== 'access') return;
      await revokeAccessToken(store, hashOf(value), eventRequestOf(currentRequest()));
    },
  };
}

async function insertCode(store: Store, code: NewOauthToken): Promise<void> {
  const { userId, grantId, clientId } = code;
  await store.transaction(async ({ db }) => {
    const basis = { userId, secretHash: undefined, grantId, clientId };
    await insertTokens(db, [code], await lockBasis(db, basis));
  });
}

/**
 * A code or token that has been used is found again by its own client within the window of a retry.
 * Later, that ends the grant (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2).
 */
async function find(
  store: Store,
  kind: OauthTokenKind,
  value: string,
): Promise<AdapterPayload | undefined> {
  const row = await findRow(store.db, kind, value);
  if (row === undefined) return undefined;
  if (row.consumedAt === null) return payloadOf(row, value);
  const { route, client } = currentRequest().oidc;
  if (route === 'revocation') return payloadOf(row, value);
  if (route !== 'token' || client?.clientId !== row.clientId) return undefined;
  if (!row.isReused) return payloadOf(row, value);
  const { grantId, organizationId } = row;
  if (grantId !== null) {
    const actor = service(organizationId, 'reuse_detection');
    await revokeGrant(store, { id: grantId, organizationId }, actor);
  }
  return undefined;
}

interface TokenRow extends OauthToken {
  readonly isReused: boolean | null;
}

/** Milliseconds since the request arrived. */
function ageOf({ res }: KoaContextWithOIDC): number {
  return performance.now() - contextOf(res as Response).startedAt;
}

/**
 * Seconds in which a repeated code or refresh token counts as a retry: two parallel requests of one
 * client, or a lost response. Later it counts as stolen (RFC 9700 section 4.14.2).
 */
const RETRY_WINDOW: Readonly<Record<Exclude<OauthTokenKind, 'access'>, number>> = {
  code: 3,
  refresh: 10,
};

/**
 * True if the row `t` was used longer before the request than the retry window: reuse, not a retry.
 *
 * @param age milliseconds since the request arrived, so that a slow server does not turn a retry into reuse
 */
function isReused(age: number): Prisma.Sql {
  return Prisma.sql`
    t."consumedAt" < clock_timestamp() - ${age}::float8 * interval '1 millisecond' - (
      CASE t."kind" WHEN 'code' THEN ${RETRY_WINDOW.code} ELSE ${RETRY_WINDOW.refresh} END
    )::float8 * interval '1 second'`;
}

async function findRow(db: Db, kind: OauthTokenKind, value: string): Promise<TokenRow | undefined> {
  const [row] = await db.$queryRaw<TokenRow[]>`
    SELECT t.*, ${isReused(ageOf(currentRequest()))} AS "isReused" FROM "OauthToken" t
    WHERE t."hash" = ${hashOf(value)} AND t."kind" = ${kind}::"OauthTokenKind"
    ${kind === 'access' ? Prisma.sql`AND t."expiresAt" > clock_timestamp()` : Prisma.empty}`;
  return row;
}
