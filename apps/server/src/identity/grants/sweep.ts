import type { Db } from '../../platform/database/store.ts';

/*
 * Batches of what has expired, for housekeeping. What has expired is refused anyway, so its deletion is
 * not announced. Found by ordered indexes, like all that housekeeping deletes.
 */

/** With its tokens, used-up ones too. */
export function deleteExpiredGrants(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Grant" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Grant" WHERE "expiresAt" < now()
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** A used code or refresh token stays as long as its grant: by it, a second use is recognized. */
export function deleteExpiredOauthTokens(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "OauthToken" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OauthToken" WHERE "expiresAt" < now() AND "consumedAt" IS NULL
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** A retry is answered within seconds. After that nothing needs the response, and its key may retire. */
export function eraseRetryResponses(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    UPDATE "OauthToken" SET "sealed" = NULL, "keyId" = NULL WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OauthToken"
      WHERE "keyId" IS NOT NULL AND "consumedAt" < now() - interval '1 minute'
      ORDER BY "keyId" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

export function deleteExpiredOauthState(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "OauthState" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OauthState" WHERE "expiresAt" < now()
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** Seconds without an authorization before a dynamic client is forgotten: its grants do not last longer. */
const DYNAMIC_CLIENTS_KEPT = 90 * 24 * 60 * 60;

export function deleteUnusedDynamicClients(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "DynamicClient" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "DynamicClient"
      WHERE "lastUsedAt" < now() - ${DYNAMIC_CLIENTS_KEPT}::float8 * interval '1 second'
      ORDER BY "lastUsedAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}
