import { randomUUID } from 'node:crypto';
import type { ClientConfig } from 'pg';
import type { Announcement, Announcer, Change, Changes, Subscriber } from './changes.ts';
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
 * The changes of all nodes on one PostgreSQL database. They are sent by NOTIFY inside the writing
 * transaction, so they are delivered if and only if it commits. The node that writes does not wait
 * for its own notification: it calls its listeners as soon as the commit is confirmed.
 */
export class PostgresqlChanges implements Changes, Announcer {
  readonly #listeners = new Listeners();
  readonly #origin = randomUUID();
  readonly #lease: Lease;
  /** This node's messages in flight, and whether its listeners were already called for them. */
  readonly #ownMessages = new Map<number, { emitted: boolean }>();
  #sequence = 0;

  constructor(config: ClientConfig) {
    this.#lease = new Lease(config, CHANNEL, {
      onPayload: (payload) => this.#receive(payload),
      onListening: () => this.#startOver(),
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
    return this.#lease.isValid();
  }

  subscribe(subscriber: Subscriber): () => void {
    return this.#listeners.subscribe(subscriber);
  }

  prepare(changes: readonly Change[]): Announcement {
    const messages: Message[] = [];
    for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE) {
      this.#sequence += 1;
      messages.push({
        origin: this.#origin,
        sequence: this.#sequence,
        changes: changes.slice(from, from + CHANGES_PER_MESSAGE),
      });
    }
    for (const message of messages) this.#ownMessages.set(message.sequence, { emitted: false });
    return {
      notifications: messages.map(encodeMessage),
      committed: () => this.#committed(messages),
      abandoned: () => {
        for (const { sequence } of messages) this.#ownMessages.delete(sequence);
      },
    };
  }

  #committed(messages: readonly Message[]): void {
    for (const { sequence, changes } of messages) {
      const own = this.#ownMessages.get(sequence);
      // Absent when the notification came back first: the listeners were called then.
      if (own === undefined) continue;
      own.emitted = true;
      this.#listeners.emit(changes);
    }
  }

  #receive(payload: string): void {
    const message = decodeMessage(payload);
    // Not one of our messages: invalidating too much is safe, too little is not.
    if (message === undefined) {
      this.#listeners.emit('everything');
      return;
    }
    if (message.origin === this.#origin) {
      const own = this.#ownMessages.get(message.sequence);
      this.#ownMessages.delete(message.sequence);
      if (own?.emitted === true) return;
    }
    this.#listeners.emit(message.changes);
  }

  #startOver(): void {
    for (const [sequence, own] of this.#ownMessages) {
      if (own.emitted) this.#ownMessages.delete(sequence);
    }
    this.#listeners.emit('everything');
  }
}
