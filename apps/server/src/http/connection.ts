import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type DiscardLimits, drainRest, restLimits } from './discard.ts';

/** The limits of one connection, in milliseconds and bytes. Tests lower them. */
export interface ConnectionLimits {
  /** Requests that wait for the response before theirs. Beyond it the connection is closed. */
  readonly waitingRequests: number;
  /** How long a client can read nothing of a response that has been written completely. */
  readonly writeStall: number;
  /** The time before the first check of a request body's pace, and between two checks. */
  readonly paceWindow: number;
  /** The least of a body that must arrive in that time, while we are reading. */
  readonly paceBytes: number;
  /** How much of a body is read after its response has been written. */
  readonly rest: DiscardLimits;
}

export const connectionLimits: ConnectionLimits = {
  waitingRequests: 100,
  writeStall: 60_000,
  paceWindow: 30_000,
  paceBytes: 30 * 1024,
  rest: restLimits,
};

/** A request that waits for the response before its own. */
interface WaitingRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly listener: RequestListener;
}

/**
 * One connection of a client. Its requests are handled one at a time: node:http would hand over every
 * request that a client sends ahead (RFC 9112 section 9.3.2), and hold all their responses.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #limits: ConnectionLimits;
  readonly #waiting: WaitingRequest[] = [];
  #current: ServerResponse | undefined;
  #hasServed = false;
  #isRetiring = false;
  /** When the pace of the body was last checked, and how much had been read. */
  #pace = { at: 0, bytes: 0 };
  // Made once, as most connections carry many requests.
  readonly #onWritten = () => this.#limitRest();
  readonly #onClosed = () => this.#takeNext();

  constructor(socket: Socket, limits: ConnectionLimits) {
    this.#socket = socket;
    this.#limits = limits;
  }

  /** Nothing is being read or sent, except perhaps the start of another request. */
  get isIdle(): boolean {
    if (this.#current !== undefined) return false;
    return this.#hasServed || this.#socket.bytesRead === 0;
  }

  /** From now on the response to the last request that has arrived closes the connection. */
  retire(): void {
    this.#isRetiring = true;
    this.#announceClose();
  }

  /** Handles the request, or keeps it until the response before it has been sent. */
  receive(req: IncomingMessage, res: ServerResponse, listener: RequestListener): void {
    if (this.#current === undefined) {
      this.#begin(req, res, listener);
      return;
    }
    this.#waiting.push({ req, res, listener });
    if (this.#waiting.length > this.#limits.waitingRequests) this.#socket.destroy();
    else this.#socket.pause();
  }

  /** Refuses a request if its body arrives too slowly. @param now milliseconds */
  checkPace(server: Server, now: number): void {
    const req = this.#current?.req;
    const { bytesRead } = this.#socket;
    // The pace is unknown while the body is not being read.
    const isAwaited = req?.complete === false && req.readableFlowing === true;
    if (!isAwaited || this.#pace.at === 0) {
      this.#pace = { at: isAwaited ? now : 0, bytes: bytesRead };
      return;
    }
    if (now - this.#pace.at < this.#limits.paceWindow) return;
    const isSlow = bytesRead - this.#pace.bytes < this.#limits.paceBytes;
    this.#pace = { at: now, bytes: bytesRead };
    if (isSlow) server.emit('clientError', new SlowRequest(), this.#socket);
  }

  #begin(req: IncomingMessage, res: ServerResponse, listener: RequestListener): void {
    this.#current = res;
    this.#announceClose();
    res.on('prefinish', this.#onWritten);
    res.on('close', this.#onClosed);
    listener(req, res);
  }

  /** Has no effect once the response's head is sent: its end closes the connection. */
  #announceClose(): void {
    if (this.#isRetiring && this.#current !== undefined && this.#waiting.length === 0) {
      this.#current.shouldKeepAlive = false;
    }
  }

  /** The response has been written: limits what its client may still send of the body, and how long it takes to read. */
  #limitRest(): void {
    if (this.#current !== undefined) drainRest(this.#current.req, this.#limits.rest);
    // Node replaces it by the time for the next request once everything has been sent.
    if (this.#socket.writableLength > 0) this.#socket.setTimeout(this.#limits.writeStall);
  }

  #takeNext(): void {
    this.#current = undefined;
    this.#hasServed = true;
    if (this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next === undefined) {
      if (this.#isRetiring) this.#socket.end();
      return;
    }
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#socket.setTimeout(0);
    this.#begin(next.req, next.res, next.listener);
  }
}

/** The same as Node's own error for a request that does not arrive in time. */
class SlowRequest extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}
