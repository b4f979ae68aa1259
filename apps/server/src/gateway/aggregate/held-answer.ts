import type { ServerResponse } from 'node:http';
import { ResponseMatcher, type RpcResponse } from '../../mcp/client/response-reader.ts';
import { MAX_AT_ONCE } from '../../mcp/json/parse.ts';
import { responseTo } from '../../mcp/server/reply.ts';
import { endWith } from '../send-own.ts';
import { withoutLength } from './upstream-response.ts';

export interface HeldAnswerOptions {
  /** Of the request, as raw JSON. */
  readonly id: string;
  readonly status: number;
  /** Name, value, name, value … */
  readonly headers: string[];
  /** Takes memory until the client's call has ended. Returns false if there is no room. */
  readonly keepOfBody: (bytes: number) => boolean;
}

/** Bytes that are held without being counted: most answers come in one piece. */
const UNCOUNTED = 64 * 1024;

/**
 * An answer in JSON, held until it is whole, because until then an error can take its place. One that is longer than
 * what is parsed at once, or for which there is no room, goes to the client as it comes.
 */
export class HeldAnswer {
  readonly #res: ServerResponse;
  readonly #options: HeldAnswerOptions;
  #parts: Buffer[] = [];
  #size = 0;
  #kept = 0;

  constructor(res: ServerResponse, options: HeldAnswerOptions) {
    this.#res = res;
    this.#options = options;
  }

  /** Returns false if the client has not taken what was sent before. */
  write(part: Buffer): boolean {
    if (this.#res.headersSent) return this.#res.write(part);
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= MAX_AT_ONCE && this.#hasRoom()) return true;
    this.#sendHead();
    return this.#res.write(this.#take());
  }

  /** Once everything has arrived. Undefined if it is no answer to the request. */
  read(): RpcResponse | undefined {
    const whole = this.#take();
    this.#parts = [whole];
    return new ResponseMatcher(this.#options.id).match(whole.toString('latin1'));
  }

  /** Sends what is held. */
  send(): void {
    this.#sendHead();
    endWith(this.#res, this.#take());
  }

  /** Sends an error to a client that finds it by its id, which a server that has not read the request leaves out. */
  sendError(): void {
    const { id, status, headers } = this.#options;
    const whole = this.#take();
    const { id: given = null, error } = JSON.parse(whole.toString());
    const json = given === null ? Buffer.from(responseTo(id, { error })) : whole;
    this.#res.writeHead(status, withoutLength(headers));
    endWith(this.#res, json);
  }

  #sendHead(): void {
    const { status, headers } = this.#options;
    this.#res.writeHead(status, headers);
  }

  #take(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts;
    const whole = this.#parts.length <= 1 ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    return whole;
  }

  #hasRoom(): boolean {
    if (this.#size <= UNCOUNTED) return true;
    const needed = this.#size - this.#kept;
    if (!this.#options.keepOfBody(needed)) return false;
    this.#kept = this.#size;
    return true;
  }
}
