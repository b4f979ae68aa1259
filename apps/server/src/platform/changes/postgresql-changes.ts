import { randomUUID } from 'node:crypto';
import type { ClientConfig } from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Announcement, Announcer } from './announcer.ts';
import type { Change, Changes, Heard } from './changes.ts';
import { Lease } from './lease.ts';
import { Listeners } from './listeners.ts';
import {
  CHANGES_PER_MESSAGE,
  CHANNEL,
  decodeMessage,
  encodeMessage,
  type Message,
} from './message.ts';

/**
 * The changes of all nodes on one PostgreSQL. They travel by NOTIFY inside the writing transaction,
 * so that they are heard if and only if it commits. The node that writes does not wait for its own
 * notification: it calls its listeners when the commit is known.
 */
export class PostgresqlChanges implements Changes, Announcer {
  readonly #listeners = new Listeners();
  readonly #origin = randomUUID();
  readonly #lease: Lease;
  /** Own messages in flight, and whether this node's listeners were called for them already. */
  readonly #own = new Map<number, { emitted: boolean }>();
  #sequence = 0;

  constructor(config: ClientConfig) {
    this.#lease = new Lease(config, CHANNEL, {
      onPayload: (payload) => this.#hear(payload),
      onListening: () => this.#missed(),
    });
  }

  /** @throws the driver's error when the server cannot be reached. */
  start(): Promise<void> {
    return this.#lease.start();
  }

  close(): Promise<void> {
    return this.#lease.close();
  }

  isFresh(): boolean {
    return this.#lease.isHeld();
  }

  subscribe(listener: (heard: Heard) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  async announce(db: Prisma.TransactionClient, changes: readonly Change[]): Promise<Announcement> {
    const messages: Message[] = [];
    for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE) {
      this.#sequence += 1;
      messages.push({
        origin: this.#origin,
        sequence: this.#sequence,
        changes: changes.slice(from, from + CHANGES_PER_MESSAGE),
      });
    }
    for (const message of messages) this.#own.set(message.sequence, { emitted: false });
    const abandoned = (): void => {
      for (const { sequence } of messages) this.#own.delete(sequence);
    };
    try {
      for (const message of messages) {
        await db.$executeRaw`SELECT pg_notify(${CHANNEL}, ${encodeMessage(message)})`;
      }
    } catch (error) {
      abandoned();
      throw error;
    }
    return { committed: () => this.#committed(messages), abandoned };
  }

  #committed(messages: readonly Message[]): void {
    for (const { sequence, changes } of messages) {
      const own = this.#own.get(sequence);
      // Absent: its notification came back first, and the listeners have heard it.
      if (own === undefined) continue;
      own.emitted = true;
      this.#listeners.emit(changes);
    }
  }

  #hear(payload: string): void {
    const message = decodeMessage(payload);
    // Whatever else is said on this channel, doing too much is safe and doing too little is not.
    if (message === undefined) {
      this.#listeners.emit('everything');
      return;
    }
    if (message.origin === this.#origin) {
      const own = this.#own.get(message.sequence);
      this.#own.delete(message.sequence);
      if (own?.emitted === true) return;
    }
    this.#listeners.emit(message.changes);
  }

  #missed(): void {
    for (const [sequence, own] of this.#own) if (own.emitted) this.#own.delete(sequence);
    this.#listeners.emit('everything');
  }
}
