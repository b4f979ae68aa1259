import { type DailyVerificationOptions, verifyDaily } from './audit/daily-verification.ts';
import { type RetentionDeps, sweepAudit } from './audit/retention.ts';
import { keepGrantsAlive } from './credentials/oauth/refresh/keep-alive.ts';
import type { Refresher } from './credentials/oauth/refresh/refresher.ts';
import { Prisma } from './generated/prisma/client.ts';
import { SILENCE } from './identity/browser-sessions.ts';
import { inBatches } from './platform/database/batches.ts';
import type { Db } from './platform/database/store.ts';
import {
  deletePresence,
  deletionOfAggregateSessions,
  deletionOfSessions,
  expireSessions,
} from './sessions/retention.ts';
import type { SessionWindows } from './sessions/windows.ts';
import { sweepUsage } from './usage/retention.ts';

const EVERY_MS = 60 * 60 * 1000;

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** Rows that are deleted some seconds after the time in one of their columns. */
interface Retention {
  readonly table: string;
  /** The first column of an index. */
  readonly time: string;
  readonly seconds: number;
  /** Rows without this stay. */
  readonly condition?: string;
}

/** Whatever has expired is refused anyway, so its deletion is not announced. */
const RETENTIONS: readonly Retention[] = [
  { table: 'IdempotencyKey', time: 'createdAt', seconds: DAY },
  // Invitations too. In its user's list an expired token explains for a month why a client is refused.
  { table: 'Token', time: 'expiresAt', seconds: 30 * DAY },
  { table: 'SignInLink', time: 'expiresAt', seconds: 0 },
  // One that has lasted for too long is refused, and so falls silent.
  { table: 'BrowserSession', time: 'lastSeenAt', seconds: SILENCE },
  // With its tokens, used ones too.
  { table: 'Grant', time: 'expiresAt', seconds: 0 },
  // A used code or refresh token stays as long as its grant: by it, a second use is recognized.
  { table: 'OauthToken', time: 'expiresAt', seconds: 0, condition: '"consumedAt" IS NULL' },
  { table: 'OauthState', time: 'expiresAt', seconds: 0 },
  // Since its last authorization: the grants of a dynamic client do not last longer.
  { table: 'DynamicClient', time: 'lastUsedAt', seconds: 90 * DAY },
  // Shown with the sessions of the last month.
  { table: 'CredentialLease', time: 'expiresAt', seconds: 30 * DAY },
  { table: 'ConnectLink', time: 'expiresAt', seconds: 0 },
  { table: 'ConnectAttempt', time: 'expiresAt', seconds: 0 },
  // Of a node that has not taken it in time.
  { table: 'ForwardedAnswer', time: 'expiresAt', seconds: 0 },
  // Their minutes and leases are over.
  { table: 'CallBudget', time: 'minute', seconds: HOUR },
  { table: 'CallSlot', time: 'until', seconds: HOUR },
  // For a week a person can see what became of revoked tokens.
  { table: 'UpstreamRevocation', time: 'finishedAt', seconds: 7 * DAY },
];

export interface Housekeeping {
  close(): void;
}

export interface HousekeepingOptions extends DailyVerificationOptions, RetentionDeps {
  /** How many days usage is kept. */
  readonly usageDays: number;
  readonly windows: SessionWindows;
  readonly refresher: Pick<Refresher, 'refresh'>;
  readonly onError: (error: unknown) => void;
}

/** Sweeps every hour, keeps idle OAuth grants alive, and verifies the audit once a day. */
export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { store, usageDays, windows, refresher, onError } = options;
  const closing = new AbortController();
  const run = () => {
    sweep(store.db, windows, closing.signal).catch(onError);
    sweepUsage(store.db, usageDays, closing.signal).catch(onError);
    sweepAudit(options, closing.signal)
      .then(() => verifyDaily(options, closing.signal))
      .catch(onError);
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
 * Deletes what has expired, sessions that ended a month ago, and the presence of nodes that are gone. Marks sessions that
 * expired an hour ago or earlier, so that a revocation of open sessions does not read their rows. Any number of nodes may
 * sweep at once.
 *
 * @param signal ends it soon
 */
export async function sweep(db: Db, windows: SessionWindows, signal?: AbortSignal): Promise<void> {
  for (const change of changesOf(db, windows)) await inBatches(change, { signal });
}

/** What a sweep changes. Each takes the most rows of a batch, and returns how many it has changed. */
export function changesOf(
  db: Db,
  windows: SessionWindows,
): readonly ((size: number) => Promise<number>)[] {
  const longest = Math.max(windows.legacyTtl, windows.modernTtl) / 1000;
  return [
    (size: number) => expireSessions(db, longest, size),
    (size: number) => deletePresence(db, size),
    deletionOfSessions(db, longest),
    deletionOfAggregateSessions(db, longest),
    (size: number) => eraseRetryResponses(db, size),
    ...RETENTIONS.map((retention) => (size: number) => deleteExpired(db, retention, size)),
  ];
}

/*
 * Each batch is found by an ordered index and passed on as an array of ids: for a subquery with IN,
 * PostgreSQL may overestimate the rows and read the whole table.
 */

function deleteExpired(db: Db, retention: Retention, size: number): Promise<number> {
  const [table, time] = [retention.table, retention.time].map((name) => Prisma.raw(`"${name}"`));
  return db.$executeRaw`
    DELETE FROM ${table} WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM ${table}
      WHERE ${time} < now() - ${retention.seconds}::float8 * interval '1 second'
        AND ${Prisma.raw(retention.condition ?? 'true')}
      ORDER BY ${time} LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** A retry is answered within seconds. After that nothing needs the response, and its key may retire. */
function eraseRetryResponses(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    UPDATE "OauthToken" SET "sealed" = NULL, "keyId" = NULL WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "OauthToken"
      WHERE "keyId" IS NOT NULL AND "consumedAt" < now() - interval '1 minute'
      ORDER BY "keyId" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}
