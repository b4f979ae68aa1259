import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The limits of reading and discarding, in bytes and milliseconds. */
export interface DiscardLimits {
  readonly bytes: number;
  readonly time: number;
}

/**
 * The limit for the rest of a body after its response: the size of the largest request. A proxy that has
 * buffered a body sends all of it, and gives its user a 502 if the connection closes earlier.
 */
export const restLimits: DiscardLimits = { bytes: 16 * 1024 * 1024, time: 5_000 };

/**
 * The limit for the rest of a body that is larger than the largest request, of a caller who has been let
 * in: some proxies (Apache httpd) read no response before they have sent the whole body.
 */
export const tooLargeRestLimits: DiscardLimits = { bytes: 64 * 1024 * 1024, time: 5_000 };

/** A body that is read to its end and thrown away, within limits, so that its connection can go on. */
export class Discarded {
  readonly #onLimit: () => void;
  readonly #timer: NodeJS.Timeout;
  #left: number;

  /** @param onLimit called beyond the limits: closes the connection */
  constructor({ bytes, time }: DiscardLimits, onLimit: () => void) {
    this.#left = bytes;
    this.#onLimit = onLimit;
    this.#timer = setTimeout(onLimit, time);
  }

  read(chunk: Buffer): void {
    this.#left -= chunk.length;
    if (this.#left < 0) this.#onLimit();
  }

  /** The body has been read, or its connection is lost. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Throws away what still arrives, until the stream closes. @param onLimit called beyond the limits. */
export function discard(stream: Readable, limits: DiscardLimits, onLimit: () => void): void {
  const discarded = new Discarded(limits, onLimit);
  stream.on('data', (chunk: Buffer) => discarded.read(chunk));
  stream.once('close', () => discarded.end());
  stream.resume();
}

const draining = new WeakSet<IncomingMessage>();

/**
 * Lets a client finish sending an unneeded body, so that it reads the response. Beyond the limits its
 * connection is closed; Node itself would read without end.
 */
export function drainRest(req: IncomingMessage, limits: DiscardLimits = restLimits): void {
  if (req.complete || req.destroyed || draining.has(req)) return;
  draining.add(req);
  const { socket } = req;
  const close = (): void => void socket.destroy();
  // Node destroys the connection of a response with `Connection: close` as soon as it is sent. What then
  // still arrives is answered with a reset, and takes the response with it (RFC 9112 section 9.6).
  socket.destroySoon = () => {
    socket.end();
    req.once('end', close);
  };
  discard(req, limits, close);
}
