import { setTimeout as delay } from 'node:timers/promises';
import type { ManagementEvent } from '@gatehouse/contract';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Announcement, Announcer, Change } from '../changes/changes.ts';
import { CHANNEL } from '../changes/message.ts';
import { type RecordedEvent, writeEvents } from '../events/write-events.ts';
import { isConflict, toDatabaseUnavailable } from './database-failure.ts';
import type { Db, Tx } from './store.ts';

/** In milliseconds. */
export interface TransactionLimits {
  /** How long to wait for a connection. */
  readonly maxWait: number;
  /** How long the transaction may take, from its first statement to its last. */
  readonly timeout: number;
}

const LIMITS: TransactionLimits = { maxWait: 10_000, timeout: 5_000 };
const MAX_RETRIES = 3;

export interface TransactionParts {
  readonly client: PrismaClient;
  readonly announcer: Announcer;
  /** Of this process. */
  readonly run: string;
  /** Called with each recorded event after the commit. */
  readonly onEvent: (recorded: RecordedEvent) => void;
  readonly limits?: TransactionLimits | undefined;
}

/** Implements `Store.transaction`. */
export function runTransaction<T>(
  parts: TransactionParts,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return retryConflicts(() => attemptOnce(parts, work));
}

/** Tries again what a conflict with another transaction has ended. */
export async function retryConflicts<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_RETRIES) {
        throw toDatabaseUnavailable(error) ?? error;
      }
      await delay(Math.random() * 20 * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(
  { client, announcer, run, onEvent, limits = LIMITS }: TransactionParts,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const changes: Change[] = [];
  const events: ManagementEvent[] = [];
  let recorded: readonly RecordedEvent[] = [];
  let announcement: Announcement | undefined;
  try {
    const result = await client.$transaction(async (db) => {
      const value = await work({
        db,
        announce: (...added) => void changes.push(...added),
        record: (event) => void events.push(event),
      });
      if (events.length > 0) recorded = await writeEvents(db, run, events);
      if (changes.length > 0) {
        announcement = announcer.prepare(changes);
        await notify(db, announcement);
      }
      return value;
    }, limits);
    announcement?.committed();
    recorded.forEach(onEvent);
    return result;
  } catch (error) {
    announcement?.abandoned();
    throw error;
  }
}

async function notify(db: Db, { notifications }: Announcement): Promise<void> {
  for (const notification of notifications) {
    await db.$executeRaw`SELECT pg_notify(${CHANNEL}, ${notification})`;
  }
}
