import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** In milliseconds: the interval between round trips, and how long one renews the lease for. */
const ROUND_TRIP_EVERY = 250;
const LEASE = 750;
/** In milliseconds: a slower connection is replaced. */
const ROUND_TRIP_LIMIT = 2_000;
const CONNECT_LIMIT = 2_000;
const RECONNECT_AFTER = 250;

export interface LeaseListeners {
  /** A notification's payload. */
  readonly onPayload: (payload: string) => void;
  /** Listening has begun, for the first time or again: earlier notifications may have been missed. */
  readonly onListening: () => void;
}

/**
 * Listens on one channel over a dedicated connection. While the lease is valid, every notification
 * older than {@link LEASE} has certainly been received.
 *
 * PostgreSQL delivers the notifications of every transaction that committed before a query began
 * ahead of that query's result. So each result proves that no earlier notification is missing, and
 * renews the lease, counted from when the query was sent. The clock is monotonic and read at every
 * use: a process that was stalled resumes without a lease.
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

  /** Resolves once the lease is valid. @throws the driver's error when the first connection fails. */
  async start(): Promise<void> {
    const client = await this.#listen();
    this.#running = this.#maintain(client);
  }

  isValid(): boolean {
    return performance.now() < this.#until;
  }

  /** Closes the connection, even one that is still being established. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  async #maintain(first: pg.Client): Promise<void> {
    let client: pg.Client | undefined = first;
    while (!this.#closing.signal.aborted) {
      if (client !== undefined) await this.#renewUntilLost(client);
      await delay(RECONNECT_AFTER, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) return;
      client = await this.#listen().catch(() => undefined);
    }
  }

  /** Connects, listens, and makes the first round trip. Rejects when closed in the meantime. */
  async #listen(): Promise<pg.Client> {
    const { signal } = this.#closing;
    const client = new pg.Client(this.#config);
    // Not `end`, which would never finish while the connection is still being established.
    const destroySocket = (): void => void client.connection.stream.destroy();
    signal.addEventListener('abort', destroySocket);
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
      signal.removeEventListener('abort', destroySocket);
    }
  }

  async #renewUntilLost(client: pg.Client): Promise<void> {
    const lost = new AbortController();
    const abort = (): void => lost.abort();
    client.once('end', abort);
    client.once('error', abort);
    this.#closing.signal.addEventListener('abort', abort);
    try {
      while (!lost.signal.aborted) {
        await delay(ROUND_TRIP_EVERY, undefined, { signal: lost.signal });
        await this.#renew(client);
      }
    } catch {
      // The connection is lost or being closed: either way it is discarded below.
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

/** Closes the connection without waiting for a server that may never reply. */
function discard(client: pg.Client): void {
  client.removeAllListeners('notification');
  void client.end().catch(() => {});
  client.connection.stream.destroy();
}
