import { MessageIdScanner, type MessageIds } from '../mcp/message-id-scanner.ts';
import type { GatewayLimits } from './limits.ts';

type KeptBytesLimits = Pick<GatewayLimits, 'keptBytes' | 'keptBytesInAll'>;

/** Bytes that a chunk takes besides its own: a client may send chunks of one byte. */
const CHUNK_COST = 256;

/** The bytes that the bodies of all calls keep. */
export class KeptBytes {
  readonly #limits: KeptBytesLimits;
  #total = 0;

  constructor(limits: KeptBytesLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** @param kept what the same body keeps already */
  take(bytes: number, kept: number): boolean {
    if (kept + bytes > this.#limits.keptBytes) return false;
    if (this.#total + bytes > this.#limits.keptBytesInAll) return false;
    this.#total += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#total -= bytes;
  }
}

/**
 * Finds the message ids of a body that arrives in chunks. Only a call that fails needs them, so the
 * chunks are kept and scanned when somebody does: scanning costs more than relaying.
 */
export class DeferredScan {
  readonly #scanner = new MessageIdScanner();
  readonly #keptBytes: KeptBytes;
  #chunks: Buffer[] = [];
  #kept = 0;
  #isDeferred = true;
  #isReleased = false;

  constructor(keptBytes: KeptBytes) {
    this.#keptBytes = keptBytes;
  }

  feed(chunk: Buffer): void {
    if (this.#isReleased) return;
    if (this.#isDeferred && this.#keep(chunk)) return;
    this.scanner().feed(chunk);
  }

  /** The scanner, fed with everything so far. From now on chunks are scanned as they arrive. */
  scanner(): MessageIdScanner {
    const chunks = this.#chunks;
    this.#isDeferred = false;
    this.#drop();
    for (const chunk of chunks) this.#scanner.feed(chunk);
    return this.#scanner;
  }

  /** @param isComplete whether the whole body has been fed */
  messageIds(isComplete: boolean): MessageIds {
    return this.scanner().messageIds(isComplete);
  }

  /** Nobody needs the ids any more. */
  release(): void {
    this.#isReleased = true;
    this.#drop();
  }

  #drop(): void {
    this.#keptBytes.giveBack(this.#kept);
    this.#kept = 0;
    this.#chunks = [];
  }

  #keep(chunk: Buffer): boolean {
    const cost = chunk.length + CHUNK_COST;
    if (!this.#keptBytes.take(cost, this.#kept)) return false;
    this.#kept += cost;
    this.#chunks.push(chunk);
    return true;
  }
}
