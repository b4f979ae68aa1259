import { problemCodes } from '@gatehouse/contract';
import { LRUCache } from 'lru-cache';
import { EventReader, type StreamEvent } from '../../../mcp/sse/event-reader.ts';
import type { Route } from '../../routes.ts';
import { discard, mediaOf } from '../upstream-answer.ts';
import type { UpstreamCall } from '../upstream-calls.ts';

/** Where the events of a part go: the stream to the client. */
export interface PartTarget {
  /** Returns false if the client has not taken what was sent before. */
  write(event: Buffer): boolean;
  /** Resolves once the client has taken it, or has left. */
  drained(): Promise<void>;
}

export interface PartOptions {
  /** Its response has begun, or has failed. */
  readonly onBegin: () => void;
  /** The event for the client; undefined for one that it does not get. */
  readonly toClient: (event: StreamEvent) => Buffer | undefined;
}

/**
 * `refused`: the integration offers no stream; `absent`: it has answered with something else; `broken`: the stream has
 * ended, or could not be opened now; `denied`: its person may not have it now.
 */
export type PartEnd = 'refused' | 'absent' | 'broken' | 'denied';

/** Bytes of an event. Longer ones are left out, as the events of others would come between their pieces. */
const MAX_EVENT = 1024 * 1024;

/** Statuses of a server that has no streams (2025-11-25 transports, "Listening for Messages from the Server"). */
const REFUSED = new Set([405, 501]);

const DENIED = new Set([401, 403]);

/** Too many requests; or, of servers that keep one stream a session, another one is open, as after a lost connection. */
const TEMPORARY = new Set([409, 429]);

/** Merges the event stream of one integration into the stream to the client, whole event by whole event. */
export async function mergeStream(
  call: Pick<UpstreamCall, 'answer'>,
  target: PartTarget,
  { onBegin, toClient }: PartOptions,
): Promise<PartEnd> {
  const answer = await call.answer;
  onBegin();
  if (answer.kind === 'refused') return 'absent';
  // What we refuse ourselves says nothing about the integration.
  if (answer.kind === 'problem') {
    const end = endOf(problemCodes[answer.problem.code].status);
    return end === 'broken' ? end : 'denied';
  }
  const { status, body } = answer;
  const isStream = status < 300 && mediaOf(answer) === 'events';
  const events = new EventReader(MAX_EVENT);
  if (!isStream) await discard(body);
  for await (const chunk of body) {
    const whole = events.feed(chunk).filter(({ isWhole }) => isWhole);
    const passed = whole.flatMap((event) => toClient(event) ?? []);
    if (passed.length > 0 && !target.write(Buffer.concat(passed))) await target.drained();
  }
  return isStream || body.failure !== undefined ? 'broken' : endOf(status);
}

function endOf(status: number): PartEnd {
  if (REFUSED.has(status)) return 'refused';
  if (DENIED.has(status)) return 'denied';
  return status >= 500 || TEMPORARY.has(status) ? 'broken' : 'absent';
}

type Server = Pick<Route, 'integrationId' | 'target'>;

const MAX_KEPT = 10_000;

/** Milliseconds until a GET stream is asked for again. */
const KEPT = 60 * 60_000;

/** Integrations that have refused this node a GET stream (2025-11-25 transports, "Listening for Messages from the Server"). */
export class StreamlessServers {
  readonly #refused = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT });

  note(server: Server): void {
    this.#refused.set(keyOf(server), true);
  }

  has(server: Server): boolean {
    return this.#refused.has(keyOf(server));
  }
}

/** Another URL is another server. */
function keyOf({ integrationId, target }: Server): string {
  return `${integrationId} ${target.url}`;
}
