import { setTimeout as delay } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Logger } from '../logging.ts';
import { ProblemError } from '../problem-error.ts';
import { toDatabaseUnavailable } from './database-failure.ts';
import { isWritable } from './database-status.ts';
import { type OutageCause, outageCause } from './outage-cause.ts';
import type { Store } from './store.ts';

/** Milliseconds between two looks. While the store receives changes, a look asks nothing. */
const LOOK_EVERY = 1_000;

/** Milliseconds that a look waits for the server. */
const PATIENCE = 2_000;

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = outageCause({ code: '25006' });

const NO_RESPONSE = outageCause(undefined);

interface Outage {
  /** By the monotonic clock. */
  readonly begun: number;
  /** The cause of the first failure. */
  readonly suspected: OutageCause;
  /** Lines that were left out. */
  leftOut: number;
  isLogged: boolean;
}

/**
 * One line when the database goes away and one when it is back, in place of a line for each statement
 * that fails meanwhile.
 */
export class OutageLog {
  #watched: { readonly store: Store; readonly log: Logger } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outage: Outage | undefined;
  /** The question that the server has not answered yet. */
  #asked: Promise<OutageCause | undefined> | undefined;

  /** Begins to look after PostgreSQL. (When an embedded database fails, its process ends.) */
  watch(store: Store, log: Logger): void {
    if (store.kind !== 'postgresql') return;
    this.#watched = { store, log };
    this.#timer = setInterval(() => {
      if (this.#outage !== undefined || !store.changes.isFresh()) void this.#look();
    }, LOOK_EVERY);
    this.#timer.unref();
  }

  /** From now on every failure has its line again: at the end nothing is tried once more. */
  close(): void {
    clearInterval(this.#timer);
    this.#watched = undefined;
  }

  /** True if an error to be logged belongs to an outage, which has its own lines. */
  covers(error: unknown): boolean {
    if (this.#watched === undefined || !isOfDatabase(error)) return false;
    if (this.#outage !== undefined) {
      this.#outage.leftOut += 1;
      return true;
    }
    const cause = outageCause(error);
    // A statement that had to wait for others, on a server that is there, is not an outage.
    if (!cause.isCertain && this.#watched.store.changes.isFresh()) return false;
    this.#begin(cause);
    // An error that Prisma passes on may lack the driver's code.
    void this.#look();
    return true;
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { store, log } = this.#watched ?? {};
    if (store === undefined || log === undefined) return;
    this.#asked ??= ask(store).finally(() => {
      this.#asked = undefined;
    });
    const late = delay(PATIENCE, NO_RESPONSE, { ref: false });
    const cause = await Promise.race([this.#asked, late]);
    const outage = cause === undefined ? this.#outage : this.#begin(cause);
    if (outage === undefined || this.#watched === undefined) return;
    if (!outage.isLogged) {
      const { code, reason } = cause?.isCertain ? cause : outage.suspected;
      log.error({ code, reason }, 'the database is away');
      outage.isLogged = true;
    }
    if (cause !== undefined || outage !== this.#outage) return;
    this.#outage = undefined;
    const ms = Math.round(performance.now() - outage.begun);
    log.info({ ms, leftOut: outage.leftOut }, 'the database is back');
  }

  #begin(suspected: OutageCause): Outage {
    this.#outage ??= { begun: performance.now(), suspected, leftOut: 0, isLogged: false };
    return this.#outage;
  }
}

/** Why the server does not take writes; undefined when it does. */
function ask(store: Store): Promise<OutageCause | undefined> {
  return isWritable(store).then((isIt) => (isIt ? undefined : READ_ONLY), outageCause);
}

/** Messages of pg and its pool that have no code. Prisma passes them on unchanged. */
const OF_PG =
  /^(?:Query read timeout|timeout exceeded when trying to connect|Connection terminated\b.*|Client has encountered a connection error\b.*|Cannot use a pool after .*)$/;

/** Sockets of others have the same codes, so the error must have come through the store. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'database_unavailable';
  if (error instanceof Error && OF_PG.test(error.message)) return true;
  return isOfPrisma(error) && toDatabaseUnavailable(error) !== undefined;
}

function isOfPrisma(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError ||
    error instanceof Prisma.PrismaClientUnknownRequestError ||
    error instanceof Prisma.PrismaClientInitializationError ||
    (error instanceof Error && error.name === 'DriverAdapterError')
  );
}
