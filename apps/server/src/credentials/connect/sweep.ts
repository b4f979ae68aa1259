import type { Db } from '../../platform/database/store.ts';

/** @param size how many at most. @returns how many */
export function deleteExpiredConnectLinks(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "ConnectLink" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "ConnectLink" WHERE "expiresAt" < now()
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** @param size how many at most. @returns how many */
export function deleteExpiredAttempts(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "ConnectAttempt" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "ConnectAttempt" WHERE "expiresAt" < now()
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}
