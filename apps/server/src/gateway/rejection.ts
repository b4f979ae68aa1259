import type { Dispatcher } from 'undici';

/** Bytes of a rejection that are read before its connection is closed instead of reused. */
const MAX_DISCARDED = 64 * 1024;

/** The upstream's 401, after the call has been refused: read and dropped, so that its connection can be reused. */
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
    if (this.#received > MAX_DISCARDED) abort(this.#controller);
  }

  /** The rejection has been read, or its connection is lost. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

function abort(controller: Dispatcher.DispatchController): void {
  controller.abort(new Error('The rest of the rejection is not read.'));
}
