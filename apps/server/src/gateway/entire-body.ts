import type { Readable } from 'node:stream';
import { type DiscardLimits, tooLargeRestLimits } from '../http/discard.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { Inbound } from './inbound.ts';
import type { GatewayLimits } from './limits.ts';
import { bodyTooLarge, noRoomForBody } from './problems.ts';

/** A call as the reader of its whole body sees it. */
export interface EntireBodyReader {
  readonly inbound: Pick<Inbound, 'contentLength' | 'isChunked'>;
  readonly request: { discardRest(limits?: DiscardLimits): void };
  /** A part of the body has arrived. */
  received(chunk: Buffer): void;
  /** Takes memory for it. Returns false if there is no room. */
  keepOfBody(bytes: number): boolean;
  giveUpBody(): void;
}

const EMPTY = Buffer.alloc(0);

/** Bytes that a body which comes in pieces begins with. */
const FIRST_ROOM = 16 * 1024;

/**
 * A body that has been read to its end, within the memory that all kept bodies share. The promise stays pending if the
 * client leaves before. Rejects with ProblemError `payload_too_large`, or `overloaded` where there is no room.
 *
 * @param limits `requestBytes` for one body
 */
export function readEntireBody(
  source: Readable,
  call: EntireBodyReader,
  { requestBytes }: Pick<GatewayLimits, 'requestBytes'>,
): Promise<Buffer> {
  const { inbound } = call;
  if (!inbound.isChunked && !inbound.contentLength) return Promise.resolve(EMPTY);
  return new Promise((resolve, reject) => {
    const room = new Room(call, inbound.contentLength ?? requestBytes);
    const stop = (): void => void source.off('data', onData).off('end', onEnd);
    const onData = (chunk: Buffer): void => {
      call.received(chunk);
      const isTooLarge = room.size + chunk.length > requestBytes;
      if (!isTooLarge && room.add(chunk)) {
        if (room.size === inbound.contentLength) resolve(room.bytes());
        return;
      }
      stop();
      call.giveUpBody();
      reject(isTooLarge ? refuseTooLarge(call, requestBytes) : noRoomForBody());
    };
    const onEnd = (): void => {
      stop();
      resolve(room.bytes());
    };
    source.on('data', onData);
    if (inbound.isChunked) source.on('end', onEnd);
  });
}

/** Grows by doubling: however small the pieces are, each byte is copied twice at most on average. */
class Room {
  size = 0;
  readonly #call: EntireBodyReader;
  readonly #most: number;
  #bytes: Buffer = EMPTY;

  /** @param most bytes that can come */
  constructor(call: EntireBodyReader, most: number) {
    this.#call = call;
    this.#most = most;
  }

  /** Returns false if there is no memory for it. */
  add(chunk: Buffer): boolean {
    const size = this.size + chunk.length;
    if (size > this.#bytes.length && !this.#grow(size, chunk)) return false;
    if (this.#bytes !== chunk) chunk.copy(this.#bytes, this.size);
    this.size = size;
    return true;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }

  #grow(needed: number, chunk: Buffer): boolean {
    // The usual body comes in one piece.
    const isWhole = this.size === 0 && chunk.length === this.#most;
    const doubled = Math.max(needed, FIRST_ROOM, 2 * this.#bytes.length);
    const length = isWhole ? needed : Math.max(needed, Math.min(doubled, this.#most));
    if (!this.#call.keepOfBody(length - this.#bytes.length)) return false;
    if (isWhole) this.#bytes = chunk;
    else {
      const grown = Buffer.allocUnsafeSlow(length);
      this.#bytes.copy(grown, 0, 0, this.size);
      this.#bytes = grown;
    }
    return true;
  }
}

/** Begins to discard a body that is too large. @returns the problem to respond with */
export function refuseTooLarge(
  { request }: Pick<EntireBodyReader, 'request'>,
  limit: number,
): ProblemError {
  request.discardRest(tooLargeRestLimits);
  return bodyTooLarge(limit);
}
