import type { Dispatcher } from 'undici';
import type { AwaitedMessages } from '../../mcp/awaited-messages.ts';
import type { SessionMode } from '../../mcp/era.ts';
import { EventListFilter } from '../../mcp/list-filter/event-filter.ts';
import { JsonListFilter } from '../../mcp/list-filter/json-filter.ts';
import type {
  Filtered,
  ListFault,
  ListFilter,
  ListFilterOptions,
} from '../../mcp/list-filter/options.ts';
import { formatOfMedia, mayBeRead } from '../../mcp/media-type.ts';
import type { MessageIds } from '../../mcp/message-ids.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import { type AwaitedByDeps, awaitedBy } from '../awaited-by.ts';
import type { Call } from '../call.ts';
import type { GatewayLimits } from '../limits.ts';
import { brokenOff, responseTooLarge } from '../problems.ts';
import { messageIdsOf, type RequestBody } from '../request-body.ts';
import type { CallResponse, RelayedResponse } from '../response.ts';
import { contentLengthOf, type ResponseHeaders } from '../response-head.ts';
import type { Filtering } from './filtering.ts';
import { unreadableList, unreadableResponse } from './refusals.ts';

export interface FilteredResponseDeps extends AwaitedByDeps {
  readonly limits: Pick<GatewayLimits, 'responseBytes'>;
}

/**
 * Relays those messages of a response that the call awaits, without the entries of their lists that rules do not allow.
 */
export class FilteredResponse implements CallResponse {
  readonly mustBePlain = true;
  readonly #relayed: RelayedResponse;
  readonly #call: Call;
  /** Undefined where no rules are about names. */
  readonly #filtering: Filtering | undefined;
  readonly #body: RequestBody;
  readonly #deps: FilteredResponseDeps;
  #filter: ListFilter | undefined;
  /** Undefined until the response has begun. */
  #messages: AwaitedMessages | undefined;
  #isPaused = false;
  /** When this turn of the event loop has had enough of it: many chunks may come in one. */
  #until: number | undefined;
  /** Bytes that are filtered without a look at the clock, which costs more than filtering a short response by no rules. */
  #unclocked: number;
  /** The upstream has sent everything. */
  #hasEnded = false;
  /** Nothing of the body is passed on. */
  #isBodiless = false;
  /** Bytes that may still arrive of a JSON response, including those that are cut. */
  #left: number;
  /** Bytes that have arrived and cannot be sent yet. */
  #held = 0;
  /** Starts the response. It waits for the first bytes, because until then an error can take its place. */
  #pending: PendingStart | undefined;

  constructor(
    relayed: RelayedResponse,
    call: Call,
    filtering: Filtering | undefined,
    body: RequestBody,
    deps: FilteredResponseDeps,
  ) {
    this.#relayed = relayed;
    this.#call = call;
    this.#filtering = filtering;
    this.#body = body;
    this.#deps = deps;
    this.#left = deps.limits.responseBytes;
    this.#unclocked = filtering === undefined ? UNCLOCKED : 0;
  }

  start(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void {
    const format = formatOfMedia(headers['content-type'], headers['content-encoding']);
    if (format === undefined) {
      this.#startOther({ status, headers, sessionMode });
      return;
    }
    const options = this.#options();
    if (format === 'json' && (contentLengthOf(headers) ?? 0) > this.#left) {
      this.#call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    this.#filter = format === 'events' ? new EventListFilter(options) : new JsonListFilter(options);
    this.#pending = { status, headers, sessionMode };
    if (format === 'events') this.#start();
  }

  write(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isBodiless) return;
    if (this.#filter === undefined) {
      this.#relayed.write(controller, chunk);
      return;
    }
    this.#left -= chunk.length;
    if (this.#left < 0 && !this.#call.isStream) {
      this.#call.refuse(responseTooLarge(), 'too_large');
      return;
    }
    this.#filter.append(chunk);
    this.#unclocked -= chunk.length;
    if (!this.#isPaused) this.#run(this.#filter, controller);
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#isPaused) return;
    const { bytes, fault } = this.#filter?.end() ?? NOTHING;
    // No client reads a message without its end, and the aggregate answers instead.
    if (fault !== undefined && this.#filtering !== undefined) {
      this.#fail();
      return;
    }
    this.#start();
    if (bytes.length > 0) this.#call.write(bytes);
    this.#noteResponse();
    this.#relayed.end();
  }

  keepAlive(now: number): void {
    this.#relayed.keepAlive(now);
  }

  isAnswered(body: RequestBody): boolean {
    return this.#relayed.isAnswered(body);
  }

  insert(event: string): void {
    this.#relayed.insert(event);
  }

  announceEnd(problem: ProblemError, ids: MessageIds | undefined): void {
    this.#relayed.announceEnd(problem, ids);
  }

  /** A response that clients may read differently, or that is not MCP, such as a proxy's page. */
  #startOther(pending: PendingStart): void {
    const { status, headers, sessionMode } = pending;
    // The aggregate does not read it.
    const isRead =
      this.#filtering !== undefined && (status < 300 || mayBeRead(headers['content-type']));
    if (!isRead) this.#relayed.start(status, headers, sessionMode);
    else if (status < 300 && this.#isAwaited)
      this.#call.refuse(unreadableResponse(), 'upstream_failed');
    else {
      this.#isBodiless = true;
      this.#pending = pending;
      this.#start();
    }
  }

  get #isAwaited(): boolean {
    const kind = messageIdsOf(this.#body)?.kind;
    return kind === 'request' || kind === 'batch';
  }

  #options(): ListFilterOptions {
    const filtering = this.#filtering;
    const messages = awaitedBy(this.#call, this.#deps);
    this.#messages = messages;
    if (filtering === undefined) return { messages, makePrivate: false };
    return {
      messages,
      allows: filtering.allows,
      get makePrivate() {
        return filtering.makePrivate;
      },
    };
  }

  /** Filters what has arrived. After a few milliseconds it lets other calls go on. */
  #run(filter: ListFilter, controller: Dispatcher.DispatchController): void {
    const until = this.#unclocked < 0 ? this.#turnEnd() : undefined;
    let hasMore = true;
    while (hasMore && (until === undefined || performance.now() < until)) hasMore = filter.read();
    const { bytes, fault } = filter.take();
    const isKept = this.#keep(filter.held);
    if (bytes.length > 0) {
      this.#start();
      this.#relayed.write(controller, bytes);
      this.#noteResponse();
    }
    if (fault !== undefined || !isKept) this.#fail(isKept ? fault : 'event_too_large');
    else if (hasMore) this.#pause(filter, controller);
  }

  /** Those who pass the response on need not read it once more. */
  #noteResponse(): void {
    const kind = this.#messages?.responseKind;
    if (kind !== undefined) this.#call.noteResponse(kind);
  }

  #turnEnd(): number {
    if (this.#until !== undefined) return this.#until;
    setImmediate(() => {
      this.#until = undefined;
    });
    this.#until = performance.now() + TURN;
    return this.#until;
  }

  #pause(filter: ListFilter, controller: Dispatcher.DispatchController): void {
    this.#isPaused = true;
    controller.pause();
    setImmediate(() => {
      this.#isPaused = false;
      this.#until = undefined;
      if (this.#call.hasEnded) return;
      this.#run(filter, controller);
      if (this.#isPaused || this.#call.hasEnded) return;
      if (this.#hasEnded) this.end();
      // Otherwise the client resumes it, once it has taken what was sent.
      else if (!this.#relayed.isWaiting) controller.resume();
    });
  }

  /** The bytes held of all responses count as kept bodies. Returns false if there is no room. */
  #keep(held: number): boolean {
    const before = this.#held;
    this.#held = held;
    if (this.#held <= UNCOUNTED && before <= UNCOUNTED) return true;
    if (this.#held > before) return this.#call.keepOfBody(this.#held - before);
    this.#call.keepLess(before - this.#held);
    return true;
  }

  /** Nothing is cut from a message without lists, so that its length stays. */
  #start(isWhole = this.#filtering?.allows === undefined): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const { status, headers, sessionMode } = pending;
    const hasLength = isWhole && this.#filter instanceof JsonListFilter;
    const isAsItCame = hasLength || headers['content-length'] === undefined;
    const sent = isAsItCame ? headers : { ...headers, 'content-length': undefined };
    this.#relayed.start(status, sent, sessionMode);
  }

  #fail(fault?: ListFault): void {
    const call = this.#call;
    if (call.hasEnded) return;
    const filtering = this.#filtering;
    const ids = messageIdsOf(this.#body);
    if (this.#pending !== undefined && (filtering === undefined || this.#pending.status >= 300)) {
      // The status alone says enough.
      this.#isBodiless = true;
      this.#filter = undefined;
      this.#start(false);
      if (this.#hasEnded) this.#relayed.end();
    } else if (this.#pending === undefined || filtering === undefined || ids === undefined) {
      call.cut(filtering === undefined ? problemOf(fault) : unreadableResponse());
    } else {
      const refusal = unreadableList(filtering.integrationId);
      call.answer(call.rpcAnswer(refusal, ids, 'upstream_failed'));
    }
  }
}

/** Where no rules apply. */
function problemOf(fault: ListFault | undefined): ProblemError {
  return fault === 'event_too_large' ? responseTooLarge() : brokenOff();
}

/** The head of a response that is not sent yet. */
interface PendingStart {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly sessionMode: SessionMode;
}

/** Milliseconds after which other calls go on. */
const TURN = 5;

/** Bytes of a response that take less than a turn, in whatever pieces. */
const UNCLOCKED = 4 * 1024;

/** Bytes that may be held without being counted. */
const UNCOUNTED = 64 * 1024;

const NOTHING: Filtered = { bytes: Buffer.alloc(0) };
