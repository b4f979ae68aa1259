import type { ServerResponse } from 'node:http';
import { problemResponse, sendProblem } from '../../http/problem-response.ts';
import { refusalOf } from '../../mcp/server/reply.ts';
import type { OwnAnswer } from '../own-answer.ts';
import type { Answered, ResponseSink } from '../ports.ts';
import { headersOf, sandboxHeader } from '../response-head.ts';
import type { HttpRequest } from './http-request.ts';

/** A body of at most this many bytes is sent in one piece with the head. */
const MAX_ONE_PIECE = 16 * 1024;

/** The HTTP response to a client. */
export class HttpResponse implements ResponseSink {
  readonly #res: ServerResponse;
  readonly #request: Pick<HttpRequest, 'discardRest'>;

  /** @param request that it answers */
  constructor(res: ServerResponse, request: Pick<HttpRequest, 'discardRest'>) {
    this.#res = res;
    this.#request = request;
  }

  get status(): number {
    return this.#res.headersSent ? this.#res.statusCode : 0;
  }

  get isGone(): boolean {
    return this.#res.destroyed;
  }

  get isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed;
  }

  get isSent(): boolean {
    return this.#res.writableFinished;
  }

  get isFull(): boolean {
    return this.#res.writableNeedDrain;
  }

  get waitingBytes(): number {
    return this.#res.writableLength;
  }

  begin(status: number, headers: string[]): void {
    this.#res.writeHead(status, headers);
  }

  flush(): void {
    this.#res.flushHeaders();
  }

  write(part: Buffer | string): boolean {
    return this.#res.write(part);
  }

  end(rest?: Buffer | string): void {
    if (rest === undefined) this.#res.end();
    else if (typeof rest === 'string') this.#res.end(rest, 'utf8');
    // Node sends text in one piece with the head; latin1 leaves every byte unchanged.
    else if (rest.length <= MAX_ONE_PIECE) this.#res.end(rest.toString('latin1'), 'latin1');
    else this.#res.end(rest);
  }

  destroy(): void {
    this.#res.destroy();
  }

  answer(own: OwnAnswer, answered: Answered): number {
    if (this.#res.headersSent) {
      this.#res.destroy();
      return 0;
    }
    if (own.kind === 'problem') {
      const { requestId, request, corsHeaders } = answered;
      const response = problemResponse(own.problem, requestId, request.url);
      sendProblem(this.#res, response, [...sandboxHeader, ...corsHeaders]);
      this.#request.discardRest();
      return Buffer.byteLength(response.body);
    }
    const answer =
      own.kind === 'answer' ? own : { status: 200, json: refusalOf(own.ids, own.error) };
    this.#res.writeHead(answer.status, headersOf(answer, answered));
    this.end(answer.json);
    this.#request.discardRest();
    return Buffer.byteLength(answer.json ?? '');
  }

  onDrain(listener: () => void): void {
    this.#res.once('drain', listener);
  }

  onClose(listener: (isAnswered: boolean) => void): void {
    this.#res.on('close', () => listener(false));
  }
}
