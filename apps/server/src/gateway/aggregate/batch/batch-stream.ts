import { ownHeaders } from '../../send-own.ts';
import type { ClientCall } from '../client-call.ts';
import { BatchPart, type PartTarget } from './batch-part.ts';

/** What a client gets for a batch: an event stream once there is something to say, and an end when all is said. */
export class BatchStream implements PartTarget {
  readonly #call: ClientCall;
  readonly #parts = new Set<BatchPart>();
  #onDrain: (() => void)[] = [];
  /** Bytes for which there is memory until the client has taken them. */
  #untaken = 0;
  #isBegun = false;
  /** No part is added any more. */
  #isComplete = false;

  constructor(call: ClientCall) {
    this.#call = call;
    call.res.on('close', () => {
      for (const part of this.#parts) part.clientLeft();
    });
    call.res.on('drain', () => this.#drained());
  }

  /** @param id of the request that is answered there, raw JSON; undefined where no answer is awaited */
  partFor(id: string | undefined): BatchPart {
    const part = new BatchPart(id, this);
    this.#parts.add(part);
    return part;
  }

  /** All messages have been given out. */
  close(): void {
    this.#isComplete = true;
    this.#endIfDone();
  }

  get needsDrain(): boolean {
    return this.#call.res.writableNeedDrain;
  }

  get waiting(): number {
    return this.#call.res.writableLength;
  }

  write(event: Buffer, kept: number): boolean {
    const { res } = this.#call;
    if (!this.#isBegun) {
      this.#isBegun = true;
      res.writeHead(200, [
        ...['Content-Type', 'text/event-stream'],
        ...['X-Accel-Buffering', 'no'],
        ...ownHeaders(this.#call),
      ]);
    }
    this.#untaken += kept;
    const isFlowing = res.write(event);
    if (isFlowing) this.#release();
    return isFlowing;
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  keep(bytes: number): boolean {
    return this.#call.keepOfBody(bytes);
  }

  keepLess(bytes: number): void {
    this.#call.keepLess(bytes);
  }

  ended(part: BatchPart): void {
    this.#parts.delete(part);
    this.#endIfDone();
  }

  #drained(): void {
    this.#release();
    const listeners = this.#onDrain;
    this.#onDrain = [];
    for (const listener of listeners) listener();
  }

  #release(): void {
    this.#call.keepLess(this.#untaken);
    this.#untaken = 0;
  }

  /** Without an event nothing was to be answered (2025-03-26 transports): 202. */
  #endIfDone(): void {
    if (!this.#isComplete || this.#parts.size > 0) return;
    if (this.#isBegun) this.#call.res.end();
    else this.#call.answer(202, undefined);
  }
}
