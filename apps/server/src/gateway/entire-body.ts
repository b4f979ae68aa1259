import type { Call } from './call.ts';
import type { GatewayLimits } from './limits.ts';
import { noRoomForBody } from './problems.ts';
import { refuseTooLarge } from './too-large.ts';

interface Reader extends Pick<Call, 'req' | 'inbound' | 'keepOfBody' | 'giveUpBody'> {
  readonly notes: { bytesIn: number };
  refuse(thrown: unknown): void;
}

const EMPTY = Buffer.alloc(0);

/** Bytes that a body which comes in pieces begins with. */
const FIRST_ROOM = 16 * 1024;

/**
 * Calls `ready` with a body that has been read to its end, within the memory that all kept bodies share.
 * That is never if the client leaves before. Refuses the call with `payload_too_large`, or with
 * `overloaded` where there is no room.
 *
 * @param limits `requestBytes` for one body
 */
export function readEntireBody(
  call: Reader,
  { requestBytes }: Pick<GatewayLimits, 'requestBytes'>,
  ready: (body: Buffer) => void,
): void {
  const { req, inbound } = call;
  if (!inbound.isChunked && !inbound.contentLength) {
    ready(EMPTY);
    return;
  }
  const room = new Room(call, inbound.contentLength ?? requestBytes);
  const stop = (): void => void req.off('data', onData).off('end', onEnd);
  const onData = (chunk: Buffer): void => {
    call.notes.bytesIn += chunk.length;
    const isTooLarge = room.size + chunk.length > requestBytes;
    if (!isTooLarge && room.add(chunk)) {
      if (room.size === inbound.contentLength) ready(room.bytes());
      return;
    }
    stop();
    call.giveUpBody();
    call.refuse(isTooLarge ? refuseTooLarge(req, requestBytes) : noRoomForBody());
  };
  const onEnd = (): void => {
    stop();
    ready(room.bytes());
  };
  req.on('data', onData);
  if (inbound.isChunked) req.on('end', onEnd);
}

/** Grows by doubling: however small the pieces are, each byte is copied twice at most on average. */
class Room {
  size = 0;
  readonly #call: Reader;
  readonly #most: number;
  #bytes: Buffer = EMPTY;

  /** @param most bytes that can come */
  constructor(call: Reader, most: number) {
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
