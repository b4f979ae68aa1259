import {
  deleteExpiredAttempts,
  deleteExpiredConnectLinks,
} from './credentials/connect/connect-links.ts';
import { keepGrantsAlive } from './credentials/oauth/refresh/keep-alive.ts';
import type { Refresher } from './credentials/oauth/refresh/refresher.ts';
import { SILENCE } from './identity/browser-sessions.ts';
import {
  deleteExpiredGrants,
  deleteExpiredOauthState,
  deleteExpiredOauthTokens,
  deleteUnusedDynamicClients,
  eraseRetryResponses,
} from './identity/grants/sweep.ts';
import { inBatches } from './platform/database/batches.ts';
import type { Db, Store } from './platform/database/store.ts';
import { endAssignments } from './sessions/sql.ts';
import type { SessionWindows } from './sessions/windows.ts';

const EVERY_MS = 60 * 60 * 1000;

/** Seconds that an ended session stays in its application's list, which shows the use of the last month. */
const SESSIONS_KEPT = 30 * 24 * 60 * 60;

/** Seconds that an expired token stays in its user's list, where it explains why a client is refused. */
const TOKENS_KEPT = 30 * 24 * 60 * 60;

/** Seconds that a person can see what became of revoked tokens. */
const REVOCATIONS_KEPT = 7 * 24 * 60 * 60;

export interface Housekeeping {
  close(): void;
}

export interface HousekeepingOptions {
  readonly store: Store;
  readonly windows: SessionWindows;
  readonly refresher: Pick<Refresher, 'refresh'>;
  readonly onError: (error: unknown) => void;
}

/** Sweeps every hour, and keeps idle OAuth grants alive. */
export function startHousekeeping({
  store,
  windows,
  refresher,
  onError,
}: HousekeepingOptions): Housekeeping {
  const closing = new AbortController();
  const run = () => {
    sweep(store.db, windows, closing.signal).catch(onError);
    keepGrantsAlive(store.db, refresher, closing.signal).catch(onError);
  };
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/**
 * Deletes stored responses older than a day, the presence of nodes that are gone, sessions and tokens
 * that ended or expired a month ago, and what sign-in, connecting and the authorization server keep once it
 * has expired. Marks sessions that expired an hour ago or earlier, so that a revocation of open sessions does
 * not read their rows. Any number of nodes may sweep at once.
 *
 * @param signal ends it soon
 */
export async function sweep(db: Db, windows: SessionWindows, signal?: AbortSignal): Promise<void> {
  const longest = Math.max(windows.legacyTtl, windows.modernTtl) / 1000;
  await inBatches((size) => deleteStoredResponses(db, size), { signal });
  await inBatches((size) => expireSessions(db, longest, size), { signal });
  await inBatches((size) => deletePresence(db, size), { signal });
  await inBatches((size) => deleteSessions(db, longest, size), { signal });
  await inBatches((size) => deleteTokens(db, size), { signal });
  await inBatches((size) => deleteSignInLinks(db, size), { signal });
  await inBatches((size) => deleteBrowserSessions(db, size), { signal });
  await inBatches((size) => deleteExpiredGrants(db, size), { signal });
  await inBatches((size) => deleteExpiredOauthTokens(db, size), { signal });
  await inBatches((size) => eraseRetryResponses(db, size), { signal });
  await inBatches((size) => deleteExpiredOauthState(db, size), { signal });
  await inBatches((size) => deleteUnusedDynamicClients(db, size), { signal });
  await inBatches((size) => deleteExpiredConnectLinks(db, size), { signal });
  await inBatches((size) => deleteExpiredAttempts(db, size), { signal });
  await inBatches((size) => deleteFinishedRevocations(db, size), { signal });
}

/*
 * Each batch is found by an ordered index and passed on as an array of ids: for a subquery with IN,
 * PostgreSQL may overestimate the rows and read the whole table.
 */

function deleteStoredResponses(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "IdempotencyKey" WHERE "createdAt" < now() - interval '24 hours'
      ORDER BY "createdAt" LIMIT ${size}))`;
}

function deleteFinishedRevocations(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UpstreamRevocation" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "UpstreamRevocation"
      WHERE "finishedAt" < now() - ${REVOCATIONS_KEPT} * interval '1 second'
      ORDER BY "finishedAt" LIMIT ${size}))`;
}

/** @param ttl seconds */
function expireSessions(db: Db, ttl: number, size: number): Promise<number> {
  return db.$executeRaw`
    UPDATE "Session" SET ${endAssignments('expired')} WHERE "state" = 'open' AND "id" = ANY(ARRAY(
      SELECT s."id" FROM "Session" s
      WHERE s."state" = 'open'
        AND s."lastActivityAt" < now() - interval '1 hour' - ${ttl}::float8 * interval '1 second'
        AND NOT EXISTS (
          SELECT 1 FROM "SessionPresence" p
          WHERE p."sessionId" = s."id" AND p."leaseUntil" > now() - interval '10 minutes')
      ORDER BY s."lastActivityAt" LIMIT ${size} FOR NO KEY UPDATE OF s SKIP LOCKED))`;
}

function deletePresence(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "SessionPresence"
    WHERE "leaseUntil" < now() - interval '10 minutes' AND "sessionId" = ANY(ARRAY(
      SELECT "sessionId" FROM "SessionPresence"
      WHERE "leaseUntil" < now() - interval '10 minutes' ORDER BY "leaseUntil" LIMIT ${size}))`;
}

/**
 * Finds ended sessions by the time of their end, and expired ones by their last activity, as they
 * have no `endedAt`. A row that still blocks its token stays.
 *
 * @param ttl seconds
 */
function deleteSessions(db: Db, ttl: number, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Session" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Session"
      WHERE "endedAt" < now() - ${SESSIONS_KEPT}::float8 * interval '1 second'
        AND ("refusedUntil" IS NULL OR "refusedUntil" < now())
      ORDER BY "endedAt" LIMIT ${size} FOR UPDATE SKIP LOCKED) || ARRAY(
      SELECT "id" FROM "Session"
      WHERE "state" = 'expired'
        AND "lastActivityAt" < now() - ${SESSIONS_KEPT + ttl}::float8 * interval '1 second'
      ORDER BY "lastActivityAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** Invitations too. An expired token is refused anyway, so its deletion is not announced. */
function deleteTokens(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Token" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Token"
      WHERE "expiresAt" < now() - ${TOKENS_KEPT}::float8 * interval '1 second'
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

function deleteSignInLinks(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "SignInLink" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "SignInLink" WHERE "expiresAt" < now()
      ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** One that has lasted for too long is refused, and so falls silent. */
function deleteBrowserSessions(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "BrowserSession" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "BrowserSession"
      WHERE "lastSeenAt" < now() - ${SILENCE}::float8 * interval '1 second'
      ORDER BY "lastSeenAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}
