import { EventEmitter } from 'node:events';
import { problemCodes } from '@gatehouse/contract';
import { replaced } from '../../../mcp/aggregate/replaced.ts';
import { envelopeOf } from '../../../mcp/envelope/read-envelope.ts';
import { EventBoundary } from '../../../mcp/event-stream.ts';
import { eventOf, eventOfBytes, type RpcRefusal, responseTo } from '../../../mcp/server/reply.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { brokenOff } from '../../problems.ts';
import type { ClientCallResponse } from '../client-call.ts';
import { invalidError, problemError } from '../failure-reply.ts';
import { mediaOf } from '../upstream-response.ts';

/** The stream that parts write their events to. */
export interface PartTarget {
  readonly needsDrain: boolean;
  /** Bytes that the client has not taken. */
  readonly waiting: number;
  /**
   * Returns false if the client has not taken what was sent before.
   *
   * @param kept bytes of memory, given back once the client has taken the event
   */
  write(event: Buffer, kept: number): boolean;
  onDrain(listener: () => void): void;
  /** Takes memory. Returns false if there is no room. */
  keep(bytes: number): boolean;
  keepLess(bytes: number): void;
  ended(part: BatchPart): void;
}

/** Bytes of one message. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What a line of data begins with, after the end of another line. */
const DATA_LINES = [Buffer.from('\ndata:'), Buffer.from('\rdata:')];
const METHOD = Buffer.from('"method"');

/**
 * Takes the response to one message of a batch as HTTP has it, and writes it as events. Only whole ones, as other parts
 * write between them.
 */
export class BatchPart extends EventEmitter implements ClientCallResponse {
  statusCode = 0;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableFinished = false;
  readonly #id: string | undefined;
  readonly #target: PartTarget;
  readonly #boundary = new EventBoundary();
  #content: 'events' | 'message' | 'nothing' = 'nothing';
  #held: Buffer[] = [];
  #size = 0;
  #isAnswered = false;

  /** @param id of the request, raw JSON; undefined where no answer is awaited */
  constructor(id: string | undefined, target: PartTarget) {
    super();
    this.#id = id;
    this.#target = target;
  }

  get writableLength(): number {
    return this.#target.waiting;
  }

  get writableNeedDrain(): boolean {
    return this.#target.needsDrain;
  }

  override once(event: 'close' | 'drain', listener: () => void): this {
    if (event === 'close') return super.once(event, listener);
    this.#target.onDrain(listener);
    return this;
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.statusCode = status;
    this.headersSent = true;
    const media = mediaOf({ headers });
    this.#content = media === 'json' ? 'message' : (media ?? 'nothing');
  }

  flushHeaders(): void {}

  write(part: Buffer | string): boolean {
    if (this.writableEnded || this.destroyed || this.#content === 'nothing') return true;
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    if (!this.#hold(chunk)) {
      this.takeProblem(tooLarge());
      return true;
    }
    if (this.#content === 'message') return true;
    this.#boundary.feed(chunk);
    return this.#boundary.isBetweenEvents ? this.#sendEvents() : !this.writableNeedDrain;
  }

  end(data?: Buffer | string, encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (data !== undefined)
      this.write(typeof data === 'string' ? Buffer.from(data, encoding) : data);
    if (this.writableEnded || this.destroyed) return;
    this.writableEnded = true;
    if (this.#content === 'message') void this.#sendMessage();
    else {
      // Events without an answer stay without one, as those of a request that comes alone.
      if (this.#content === 'nothing') this.#fail(invalidError());
      this.#close();
    }
  }

  /** The rest does not come. */
  destroy(): void {
    if (!this.writableEnded) this.takeProblem(brokenOff());
  }

  takeProblem(problem: ProblemError): void {
    if (this.writableEnded || this.destroyed) return;
    this.statusCode ||= problemCodes[problem.code].status;
    this.headersSent = true;
    this.writableEnded = true;
    this.#fail(problemError(problem));
    this.#close();
  }

  /** Nothing can be answered any more. */
  clientLeft(): void {
    if (this.writableFinished) return;
    this.destroyed = true;
    this.#held = [];
    this.emit('close');
  }

  #hold(chunk: Buffer): boolean {
    const size = this.#size + chunk.length;
    if (size > MAX_BYTES || !this.#target.keep(chunk.length)) return false;
    this.#held.push(chunk);
    this.#size = size;
    return true;
  }

  #sendEvents(): boolean {
    const events = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#isAnswered ||= endsWithAnswer(events);
    const isFlowing = this.#target.write(events, this.#size);
    this.#held = [];
    this.#size = 0;
    return isFlowing;
  }

  /** What is no message would leave the client waiting, and so would the id null, by which it finds an answer that comes alone. */
  async #sendMessage(): Promise<void> {
    const json = Buffer.concat(this.#held);
    const envelope = await envelopeOf(json);
    if (this.destroyed) return;
    const { id, idAt } = envelope.kind === 'message' ? envelope.message : {};
    const isOther = this.#id !== undefined && id === 'null' && idAt !== undefined;
    if (envelope.kind !== 'batch' && id === undefined) this.#fail(invalidError());
    else {
      this.#target.write(eventOfBytes(isOther ? replaced(json, idAt, this.#id) : json), this.#size);
      this.#size = 0;
    }
    this.#close();
  }

  #fail(error: RpcRefusal): void {
    if (this.#id === undefined || this.#isAnswered) return;
    const json = responseTo(this.#id, { error });
    this.#target.write(Buffer.from(eventOf(json)), 0);
  }

  /** Tells what listens after what has ended it, as a response of node's does. */
  #close(): void {
    this.writableFinished = true;
    this.#held = [];
    this.#target.keepLess(this.#size);
    this.#target.ended(this);
    process.nextTick(() => this.emit('close'));
  }
}

/** Whether the last of some whole events is a response. No line begins within JSON as an event has it. */
function endsWithAnswer(events: Buffer): boolean {
  const at = Math.max(...DATA_LINES.map((begin) => events.lastIndexOf(begin)));
  const isFirst = at === -1 && events.indexOf('data:') === 0;
  return (isFirst || at !== -1) && !events.includes(METHOD, Math.max(at, 0));
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'upstream_response_too_large',
    'The response is larger than one to a message of a batch may be.',
  );
}
