import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bodyTooLarge } from './problems.ts';

/** The rest of a refused body that is read and thrown away, so that the client gets to the answer. */
const MAX_DISCARDED = 64 * 1024 * 1024;

/** Kept of a body too long to be kept whole: where ids stand, unless they come last. */
const BEGINNING = 16 * 1024;

/** What has been read of a request's body. */
export interface ReadBody {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
}

/** Reads a body whose length is declared, and small. A client that leaves before its end is not told of here. */
export function readWhole(
  req: IncomingMessage,
  length: number,
  done: (body: Buffer) => void,
): void {
  let chunks: Buffer[] | undefined;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (chunks === undefined && size === length) {
      done(chunk);
      return;
    }
    chunks ??= [];
    chunks.push(chunk);
    if (size === length) done(Buffer.concat(chunks, size));
  });
}

/** Reads a body up to `limit` bytes, for its beginning alone. */
export function readPrefix(
  req: IncomingMessage,
  limit: number,
  done: (body: ReadBody) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isComplete: boolean) => {
    req.off('data', onData).off('end', onEnd);
    done({ bytes: Buffer.concat(chunks, size), isComplete });
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) finish(false);
  };
  const onEnd = () => finish(true);
  req.on('data', onData).on('end', onEnd);
}

/** Lets a client finish sending what nobody will read, up to a bound. */
export function discardBody(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED) req.socket.destroy();
  });
  req.resume();
}

/** A long body on its way up: counted, its beginning kept, its source slowed to the upstream's pace. */
export class BodyStream extends Readable {
  readonly #req: IncomingMessage;
  readonly #limit: number;
  /** The beginning of the body, as far as it has come in: a copy, so that no longer chunk is held. */
  beginning: Buffer | undefined;
  #size = 0;

  constructor(req: IncomingMessage, limit: number) {
    super({ highWaterMark: 64 * 1024 });
    this.#req = req;
    this.#limit = limit;
    req.on('data', this.#onData).on('end', this.#onEnd);
    req.pause();
  }

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#req.off('data', this.#onData).off('end', this.#onEnd);
    discardBody(this.#req);
    callback(error);
  }

  #onData = (chunk: Buffer): void => {
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      this.destroy(bodyTooLarge(this.#limit));
      return;
    }
    this.beginning ??= Buffer.from(chunk.subarray(0, BEGINNING));
    if (!this.push(chunk)) this.#req.pause();
  };

  #onEnd = (): void => {
    this.push(null);
  };
}
