import type { IncomingMessage } from 'node:http';
import { requestIdOf } from '../../http/context.ts';
import { type DiscardLimits, drainRest } from '../../http/discard.ts';
import { type EntireBodyReader, readEntireBody } from '../entire-body.ts';
import { type Inbound, readInbound } from '../inbound.ts';
import type { GatewayLimits } from '../limits.ts';
import type { CallRequest, ClientRequest } from '../ports.ts';
import { type BodyNeed, type BodyReader, type RequestBody, readBody } from '../request-body.ts';

/** A client's HTTP request. */
export class HttpRequest implements ClientRequest, CallRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly inbound: Inbound;
  readonly requestId: string;
  readonly behind = undefined;
  readonly #req: IncomingMessage;
  readonly #addressOf: (req: IncomingMessage) => string;

  constructor(req: IncomingMessage, addressOf: (req: IncomingMessage) => string) {
    this.method = req.method ?? '';
    this.url = req.url ?? '';
    this.rawHeaders = req.rawHeaders;
    this.inbound = readInbound(req.rawHeaders);
    this.requestId = requestIdOf(this.inbound.requestId);
    this.#req = req;
    this.#addressOf = addressOf;
  }

  /** Node parses them when they are first asked for. */
  get headers(): IncomingMessage['headers'] {
    return this.#req.headers;
  }

  get address(): string {
    return this.#addressOf(this.#req);
  }

  readBody(
    reader: BodyReader,
    need: BodyNeed,
    limits: GatewayLimits,
  ): RequestBody | Promise<RequestBody> {
    return readBody(this.#req, reader, need, limits);
  }

  readEntireBody(reader: EntireBodyReader, limits: GatewayLimits): Promise<Buffer> {
    return readEntireBody(this.#req, reader, limits);
  }

  discardRest(limits?: DiscardLimits): void {
    drainRest(this.#req, limits);
  }
}
