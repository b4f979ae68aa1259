import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { MarkedListener } from './marked-listener.ts';

/** In milliseconds: the interval between marks, and how long one renews the lease for. */
const MARK_EVERY = 250;
const LEASE = 750;
/** In milliseconds: slower connections are replaced. */
const MARK_LIMIT = 2_000;
const CONNECT_LIMIT = 2_000;
const RECONNECT_AFTER = 250;
/** In milliseconds, for the first mark: a start waits longer before it is refused. */
const FIRST_MARK_LIMIT = 5_000;

export interface LeaseListeners {
  /** A notification's payload. */
  readonly onPayload: (payload: string) => void;
  /** Listening has begun, for the first time or again: earlier notifications may have been missed. */
  readonly onListening: () => void;
}

/**
 * Listens on one channel over separate connections. While the lease is valid, every notification older
 * than {@link LEASE} has certainly been received.
 *
 * Each mark that arrives proves that no earlier notification is missing ({@link MarkedListener}), and
 * renews the lease, counted from when it was sent. The clock is monotonic and read at every use: a
 * process that was stalled resumes without a lease.
 */
export class Lease {
  readonly #config: ClientConfig;
  readonly #channel: string;
  readonly #listeners: LeaseListeners;
  readonly #closing = new AbortController();
  #until = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();

  constructor(config: ClientConfig, channel: string, listeners: LeaseListeners) {
    this.#config = { ...config, connectionTimeoutMillis: CONNECT_LIMIT, query_timeout: MARK_LIMIT };
    this.#channel = channel;
    this.#listeners = listeners;
  }

  /**
   * Resolves once the lease is valid.
   *
   * @throws MarkNotHeardError when notifications do not arrive here, the driver's error when the first
   *   connection fails.
   */
  async start(): Promise<void> {
    const listener = await this.#listen(FIRST_MARK_LIMIT);
    this.#running = this.#maintain(listener);
  }

  isValid(): boolean {
    return performance.now() < this.#until;
  }

  /** Closes the connections, even those that are still being established. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  async #maintain(first: MarkedListener): Promise<void> {
    let listener: MarkedListener | undefined = first;
    while (!this.#closing.signal.aborted) {
      if (listener !== undefined) await this.#renewUntilLost(listener);
      await delay(RECONNECT_AFTER, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) return;
      listener = await this.#listen(MARK_LIMIT).catch(() => undefined);
    }
  }

  /** Connects, listens, and waits for the first mark. Rejects when closed in the meantime. */
  async #listen(within: number): Promise<MarkedListener> {
    const { signal } = this.#closing;
    const { onPayload, onListening } = this.#listeners;
    const listener = await MarkedListener.open({
      config: this.#config,
      channel: this.#channel,
      onPayload,
      signal,
    });
    const discard = (): void => listener.discard();
    signal.addEventListener('abort', discard);
    try {
      onListening();
      await this.#renew(listener, within);
      signal.throwIfAborted();
      return listener;
    } catch (error) {
      discard();
      throw error;
    } finally {
      signal.removeEventListener('abort', discard);
    }
  }

  async #renewUntilLost(listener: MarkedListener): Promise<void> {
    const lost = AbortSignal.any([listener.lost, this.#closing.signal]);
    try {
      while (!lost.aborted) {
        await delay(MARK_EVERY, undefined, { signal: lost });
        await this.#renew(listener, MARK_LIMIT);
      }
    } catch {
      // The connection is lost or being closed: either way it is discarded below.
    } finally {
      this.#until = Number.NEGATIVE_INFINITY;
      listener.discard();
    }
  }

  async #renew(listener: MarkedListener, within: number): Promise<void> {
    this.#until = (await listener.prove(within)) + LEASE;
  }
}
