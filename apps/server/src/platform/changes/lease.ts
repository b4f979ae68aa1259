import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds from one round trip's request to the next, and from a request to the lease's end. */
const ROUND_TRIP_EVERY = 250;
const LEASE = 750;
/** A connection that takes longer, in milliseconds, is given up for a new one. */
const ROUND_TRIP_LIMIT = 2_000;
const CONNECT_LIMIT = 2_000;
const RECONNECT_AFTER = 250;

export interface LeaseListeners {
  /** A notification's payload. */
  readonly onPayload: (payload: string) => void;
  /** Listening has begun, for the first time or again: anything may have been missed before. */
  readonly onListening: () => void;
}

/**
 * Listens on one channel over a connection of its own, and knows whether it has heard everything.
 *
 * PostgreSQL delivers the notifications of every transaction answered before a round trip began
 * ahead of that round trip's answer. So an answer proves that all earlier changes were heard, and
 * renews the lease, which runs from the request. The clock is monotonic and read at use: a process
 * that was stalled wakes up without a lease.
 */
export class Lease {
  readonly #config: pg.ClientConfig;
  readonly #channel: string;
  readonly #listeners: LeaseListeners;
  readonly #closing = new AbortController();
  #until = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();

  constructor(config: pg.ClientConfig, channel: string, listeners: LeaseListeners) {
    this.#config = {
      ...config,
      connectionTimeoutMillis: CONNECT_LIMIT,
      query_timeout: ROUND_TRIP_LIMIT,
    };
    this.#channel = channel;
    this.#listeners = listeners;
  }

  /** Resolves with the first lease held. @throws the driver's error when the first connection fails. */
  async start(): Promise<void> {
    const client = await this.#listen();
    this.#running = this.#keep(client);
  }

  isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** Ends its connection, also one that is being made. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  async #keep(first: pg.Client): Promise<void> {
    let client: pg.Client | undefined = first;
    while (!this.#closing.signal.aborted) {
      if (client !== undefined) await this.#renewUntilLost(client);
      await delay(RECONNECT_AFTER, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) return;
      client = await this.#listen().catch(() => undefined);
    }
  }

  /** Connects, listens, and makes the first round trip; rejects when closed meanwhile. */
  async #listen(): Promise<pg.Client> {
    const { signal } = this.#closing;
    const client = new pg.Client(this.#config);
    // Not `end`: it would leave a connection that is being made waiting for ever.
    const abandon = (): void => void client.connection.stream.destroy();
    signal.addEventListener('abort', abandon);
    client.on('error', () => {});
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#listeners.onPayload(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.#channel)}`);
      this.#listeners.onListening();
      await this.#renew(client);
      signal.throwIfAborted();
      return client;
    } catch (error) {
      discard(client);
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  async #renewUntilLost(client: pg.Client): Promise<void> {
    const over = new AbortController();
    const abort = (): void => over.abort();
    client.once('end', abort);
    client.once('error', abort);
    this.#closing.signal.addEventListener('abort', abort);
    try {
      while (!over.signal.aborted) {
        await delay(ROUND_TRIP_EVERY, undefined, { signal: over.signal });
        await this.#renew(client);
      }
    } catch {
      // Lost, or closing: either way this connection is done.
    } finally {
      this.#until = Number.NEGATIVE_INFINITY;
      this.#closing.signal.removeEventListener('abort', abort);
      discard(client);
    }
  }

  async #renew(client: pg.Client): Promise<void> {
    const sent = performance.now();
    await client.query('SELECT 1');
    this.#until = sent + LEASE;
  }
}

/** Ends the connection without waiting for a server that may never answer. */
function discard(client: pg.Client): void {
  client.removeAllListeners('notification');
  void client.end().catch(() => {});
  client.connection.stream.destroy();
}
