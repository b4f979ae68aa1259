import type { Dispatcher } from 'undici';
import type { SessionMode } from '../../mcp/era.ts';
import { isEventStream } from '../../mcp/event-stream.ts';
import { EventListFilter } from '../../mcp/list-filter/event-filter.ts';
import { JsonListFilter } from '../../mcp/list-filter/json-filter.ts';
import type { Filtered, ListFilter } from '../../mcp/list-filter/options.ts';
import type { MessageIds } from '../../mcp/message-ids.ts';
import type { ProblemError } from '../../platform/problem-error.ts';
import type { Call } from '../call.ts';
import type { GatewayLimits } from '../limits.ts';
import { responseTooLarge } from '../problems.ts';
import type { RequestBody } from '../request-body.ts';
import type { CallResponse, RelayedResponse } from '../response.ts';
import type { ResponseHeaders } from '../response-head.ts';
import type { Filtering } from './filtering.ts';
import { isPlainUtf8 } from './plain-utf8.ts';
import { unreadableList, unreadableResponse } from './refusals.ts';

/** Relays a response, without those entries of its lists that rules do not allow. */
export class FilteredResponse implements CallResponse {
  readonly mustBePlain = true;
  readonly #relayed: RelayedResponse;
  readonly #call: Call;
  readonly #filtering: Filtering;
  #filter: ListFilter | undefined;
  #isPaused = false;
  /** When this turn of the event loop has had enough of it: many chunks may come in one. */
  #until: number | undefined;
  /** The upstream has sent everything. */
  #hasEnded = false;
  /** Bytes that may still arrive of a JSON response, including those that are cut. */
  #left: number;
  /** Bytes that have arrived and cannot be sent yet. */
  #held = 0;
  /** Starts the response. It waits for the first bytes, because until then an error can take its place. */
  #pendingStart: (() => void) | undefined;

  constructor(
    relayed: RelayedResponse,
    call: Call,
    filtering: Filtering,
    { responseBytes }: Pick<GatewayLimits, 'responseBytes'>,
  ) {
    this.#relayed = relayed;
    this.#call = call;
    this.#filtering = filtering;
    this.#left = responseBytes;
  }

  start(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void {
    const format = formatOf(status, headers);
    if (format === undefined) {
      this.#relayed.start(status, headers, sessionMode);
      return;
    }
    if (!isPlainUtf8(headers['content-type'], headers['content-encoding'])) {
      this.#call.refuse(unreadableResponse(), 'upstream_failed');
      return;
    }
    this.#filter =
      format === 'events'
        ? new EventListFilter(this.#filtering)
        : new JsonListFilter(this.#filtering);
    const cut = { ...headers, 'content-length': undefined };
    const start = () => this.#relayed.start(status, cut, sessionMode);
    if (format === 'events') start();
    else this.#pendingStart = start;
  }

  write(controller: Dispatcher.DispatchController, chunk: Buffer): void {
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
    if (!this.#isPaused) this.#run(this.#filter, controller);
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#isPaused) return;
    const { bytes, fault } = this.#filter?.end() ?? NOTHING;
    if (fault !== undefined) {
      this.#fail();
      return;
    }
    this.#start();
    if (bytes.length > 0) this.#call.write(bytes);
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

  /** Filters what has arrived. After a few milliseconds it lets other calls go on. */
  #run(filter: ListFilter, controller: Dispatcher.DispatchController): void {
    const until = this.#turnEnd();
    let hasMore = true;
    while (hasMore && performance.now() < until) hasMore = filter.read();
    const { bytes, fault } = filter.take();
    const isKept = this.#keep(filter.held);
    if (bytes.length > 0) {
      this.#start();
      this.#relayed.write(controller, bytes);
    }
    if (fault !== undefined || !isKept) this.#fail();
    else if (hasMore) this.#pause(filter, controller);
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

  #start(): void {
    const start = this.#pendingStart;
    this.#pendingStart = undefined;
    start?.();
  }

  #fail(): void {
    const call = this.#call;
    if (call.hasEnded) return;
    const { ids, integrationId } = this.#filtering;
    if (this.#pendingStart === undefined || ids === undefined) {
      call.cut(unreadableResponse());
      return;
    }
    call.refuseInRpc(unreadableList(integrationId), ids, 'upstream_failed');
  }
}

/** Milliseconds after which other calls go on. */
const TURN = 5;

/** Bytes that may be held without being counted. */
const UNCOUNTED = 64 * 1024;

const NOTHING: Filtered = { bytes: Buffer.alloc(0) };

const JSON_TYPE = /^application\/(?:[^;]*\+)?json\s*(?:;|$)/i;

/** Undefined for a response that is not MCP, such as a proxy's page. */
function formatOf(status: number, headers: ResponseHeaders): 'events' | 'json' | undefined {
  const contentType = String(headers['content-type'] ?? '');
  if (isEventStream(contentType)) return 'events';
  return status < 300 || JSON_TYPE.test(contentType) ? 'json' : undefined;
}
