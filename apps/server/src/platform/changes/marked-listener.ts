import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pg from 'pg';

/** The server accepts `LISTEN` and `NOTIFY`, but a mark that was sent did not come back. */
export class MarkNotHeardError extends Error {
  override readonly name = 'MarkNotHeardError';
}

export interface MarkedListenerOptions {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** Ends connections that are still being established. */
  readonly signal: AbortSignal;
}

/**
 * Two connections: one listens, the other sends marks to it. A mark is a notification like any other,
 * and PostgreSQL delivers them all in the order of their commits. So a mark that arrives proves that
 * every earlier commit has been seen.
 *
 * The marks need a separate connection. A pooler that lends server connections per transaction passes
 * notifications to the current user of the connection: a mark sent on the listening connection would
 * return on it, though no other node's notification ever would.
 */
export class MarkedListener {
  readonly #listening: pg.Client;
  readonly #marking: pg.Client;
  readonly #markChannel = `gatehouse_mark_${randomUUID().replaceAll('-', '')}`;
  readonly #lost = new AbortController();
  #mark = 0;
  #onMark: (payload: string) => void = () => {};

  private constructor({ config, channel, onPayload }: MarkedListenerOptions) {
    this.#listening = new pg.Client(config);
    this.#marking = new pg.Client(config);
    const abort = (): void => this.#lost.abort();
    for (const client of [this.#listening, this.#marking]) {
      client.on('error', abort);
      client.on('end', abort);
    }
    this.#listening.on('notification', (message) => {
      if (message.channel === this.#markChannel) this.#onMark(message.payload ?? '');
      else if (message.channel === channel) onPayload(message.payload ?? '');
    });
  }

  /** Connects and listens. @throws the driver's error */
  static async open(options: MarkedListenerOptions): Promise<MarkedListener> {
    const { signal, channel } = options;
    const listener = new MarkedListener(options);
    const destroy = (): void => listener.#destroy();
    signal.addEventListener('abort', destroy);
    try {
      await listener.#open(channel);
      signal.throwIfAborted();
      return listener;
    } catch (error) {
      listener.discard();
      throw error;
    } finally {
      signal.removeEventListener('abort', destroy);
    }
  }

  /** Aborted when one of the connections is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Sends a mark and waits until it has arrived.
   *
   * @returns when it was sent, by the monotonic clock.
   * @throws MarkNotHeardError after `within` milliseconds, or the driver's error
   */
  async prove(within: number): Promise<number> {
    this.#mark += 1;
    const sent = performance.now();
    const heard = this.#untilHeard(String(this.#mark), within);
    const name = this.#marking.escapeIdentifier(this.#markChannel);
    await Promise.all([heard, this.#marking.query(`NOTIFY ${name}, '${this.#mark}'`)]);
    return sent;
  }

  /** Closes the connections without waiting for a server that may never reply. */
  discard(): void {
    this.#lost.abort();
    this.#listening.removeAllListeners('notification');
    for (const client of [this.#listening, this.#marking]) void client.end().catch(() => {});
    this.#destroy();
  }

  /** Not `end`, which would never finish while a connection is still being established. */
  #destroy(): void {
    for (const client of [this.#listening, this.#marking]) client.connection.stream.destroy();
  }

  async #open(channel: string): Promise<void> {
    await Promise.all([this.#listening.connect(), this.#marking.connect()]);
    const [changes, marks] = [channel, this.#markChannel].map((name) =>
      this.#listening.escapeIdentifier(name),
    );
    // One transaction: who hears the marks hears the changes.
    await this.#listening.query(`LISTEN ${changes}; LISTEN ${marks}`);
    // A mark need not survive a crash, so that its commit waits for no disk.
    await this.#marking.query('SET synchronous_commit = off');
  }

  #untilHeard(mark: string, within: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        clearTimeout(timer);
        this.#lost.signal.removeEventListener('abort', onLost);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onLost = (): void => end(new Error('Connection terminated'));
      const timer = setTimeout(
        () => end(new MarkNotHeardError(`No mark arrived within ${within} ms.`)),
        within,
      );
      this.#lost.signal.addEventListener('abort', onLost);
      if (this.#lost.signal.aborted) onLost();
      this.#onMark = (payload) => {
        if (payload === mark) end();
      };
    });
  }
}
