import { type EventChanges, EventRewriter } from '../../../mcp/aggregate/event-rewriter.ts';
import {
  type Head,
  mediaOf,
  type UpstreamFailure,
  UpstreamResponse,
} from '../upstream-response.ts';

/** Where the events of a part go: the stream to the client. */
export interface PartTarget {
  readonly needsDrain: boolean;
  /** Returns false if the client has not taken what was sent before. */
  write(event: Buffer): boolean;
  onDrain(listener: () => void): void;
}

export interface PartOptions {
  readonly changes: EventChanges;
  /** Its response has begun, or has failed. Called once. */
  readonly onBegin: () => void;
  /** The event for the client; undefined for one that it does not get. */
  readonly toClient: (event: Buffer) => Buffer | undefined;
  /** Called once. */
  readonly onEnd: (end: PartEnd) => void;
}

/**
 * `refused`: the integration offers no stream; `absent`: it has answered with something else; `broken`: the stream has
 * ended, or could not be opened now; `denied`: its person may not have it now.
 */
export type PartEnd = 'refused' | 'absent' | 'broken' | 'denied';

/** Statuses of a server that has no streams (2025-11-25 transports, "Listening for Messages from the Server"). */
const REFUSED = new Set([405, 501]);

const DENIED = new Set([401, 403]);

const TOO_MANY_REQUESTS = 429;

/** The event stream of one integration, of which whole events go into the stream to the client. */
export class StreamPart extends UpstreamResponse {
  readonly #target: PartTarget;
  readonly #options: PartOptions;
  readonly #events: EventRewriter;
  #isStream = false;
  #isOver = false;

  constructor(target: PartTarget, options: PartOptions) {
    super();
    this.#target = target;
    this.#options = options;
    this.#events = new EventRewriter(options.changes);
  }

  override get writableNeedDrain(): boolean {
    return this.#target.needsDrain;
  }

  override once(_event: 'drain', listener: () => void): void {
    this.#target.onDrain(listener);
  }

  write(part: Buffer | string): boolean {
    if (!this.#isStream) return true;
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    const passed = this.#events.feed(bytes).flatMap((event) => this.#options.toClient(event) ?? []);
    return passed.length === 0 || this.#target.write(Buffer.concat(passed));
  }

  protected begin(head: Head): void {
    this.#isStream = head.status < 300 && mediaOf(head) === 'events';
    this.#options.onBegin();
  }

  protected finish(): void {
    this.#end(this.#endOfStatus());
  }

  protected breakOff(): void {
    this.#end('broken');
  }

  protected fail({ kind }: UpstreamFailure): void {
    const end = this.#endOfStatus();
    // What we refuse ourselves says nothing about the integration.
    this.#end(kind === 'problem' && end !== 'broken' ? 'denied' : end);
  }

  #endOfStatus(): PartEnd {
    const status = this.statusCode;
    if (REFUSED.has(status)) return 'refused';
    if (DENIED.has(status)) return 'denied';
    const isBroken = this.#isStream || status >= 500 || status === TOO_MANY_REQUESTS;
    return isBroken ? 'broken' : 'absent';
  }

  #end(end: PartEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.headersSent) this.#options.onBegin();
    this.#options.onEnd(end);
  }
}
