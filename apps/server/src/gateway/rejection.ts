import type { Dispatcher } from 'undici';

/** Bytes of a rejection that are read before its connection is closed instead of reused. */
const MAX_REJECTION_BYTES = 64 * 1024;

/**
 * The rest of an upstream's 401, read and dropped while the call is refused, so that the connection can
 * be reused. Longer or later than the limits, it is closed.
 */
export class Rejection {
  readonly #controller: Dispatcher.DispatchController;
  readonly #timer: NodeJS.Timeout;
  #received = 0;

  /** @param deadline milliseconds */
  constructor(controller: Dispatcher.DispatchController, deadline: number) {
    this.#controller = controller;
    this.#timer = setTimeout(abort, deadline, controller).unref();
  }

  discard(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > MAX_REJECTION_BYTES) abort(this.#controller);
  }

  /** The rejection has been read, or its connection is lost. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

function abort(controller: Dispatcher.DispatchController): void {
  controller.abort(new Error('The rest of the rejection is not read.'));
}
