import { setTimeout as delay } from 'node:timers/promises';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Announcement, Announcer } from '../changes/announcer.ts';
import type { Change } from '../changes/changes.ts';
import { CHANNEL } from '../changes/message.ts';
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

/** Implements `Store.transaction`. */
export async function runTransaction<T>(
  client: PrismaClient,
  announcer: Announcer,
  work: (tx: Tx) => Promise<T>,
  limits = LIMITS,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(client, announcer, work, limits);
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_RETRIES) {
        throw toDatabaseUnavailable(error) ?? error;
      }
      await delay(Math.random() * 20 * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(
  client: PrismaClient,
  announcer: Announcer,
  work: (tx: Tx) => Promise<T>,
  limits: TransactionLimits,
): Promise<T> {
  const changes: Change[] = [];
  let announcement: Announcement | undefined;
  try {
    const result = await client.$transaction(async (db) => {
      const value = await work({ db, announce: (...added) => void changes.push(...added) });
      if (changes.length > 0) {
        announcement = announcer.prepare(changes);
        await notify(db, announcement);
      }
      return value;
    }, limits);
    announcement?.committed();
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
