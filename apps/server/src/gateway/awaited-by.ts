import { type Awaited, AwaitedMessages, type DroppedMessage } from '../mcp/awaited-messages.ts';
import type { Message } from '../mcp/envelope/message.ts';
import { isSameId } from '../mcp/ids.ts';
import type { Call, CallDeps } from './call.ts';
import type { GatewayMetrics } from './metrics.ts';

export interface AwaitedByDeps extends Pick<CallDeps, 'log'> {
  readonly metrics: Pick<GatewayMetrics, 'countDropped'>;
}

const NO_IDS: readonly string[] = [];

/** The messages of an upstream that answer a call: no other client request may be answered in its stead. */
export function awaitedBy(call: Call, deps: AwaitedByDeps): AwaitedMessages {
  return new AwaitedMessages(
    call.request.method === 'GET' ? new OnStream(call, deps) : new ToRequests(call, deps),
  );
}

/** Drops are counted, and the first of a call is logged. */
abstract class OfCall {
  readonly #call: Call;
  readonly #deps: AwaitedByDeps;
  #isLogged = false;

  constructor(call: Call, deps: AwaitedByDeps) {
    this.#call = call;
    this.#deps = deps;
  }

  onDropped(dropped: DroppedMessage): void {
    this.#deps.metrics.countDropped(dropped);
    if (this.#isLogged) return;
    this.#isLogged = true;
    const { requestId, admission } = this.#call;
    const { applicationId, integrationId } = admission?.route ?? {};
    this.#deps.log.warn(
      { requestId, applicationId, integrationId, dropped },
      'upstream sent a message that was not asked for',
    );
  }
}

/** A stream of a session has no responses, unless it goes on with that of a request. */
class OnStream extends OfCall implements Awaited {
  readonly ids: readonly string[] | undefined;
  readonly mayBeRefused = false;

  constructor(call: Call, deps: AwaitedByDeps) {
    super(call, deps);
    const { isResumed = call.request.headers['last-event-id'] !== undefined } = call.request;
    this.ids = isResumed ? undefined : NO_IDS;
  }

  isAwaitedToken(): boolean {
    return true;
  }
}

class ToRequests extends OfCall implements Awaited {
  readonly ids: readonly string[];
  readonly mayBeRefused = true;
  readonly #requests: readonly Message[];

  constructor(call: Call, deps: AwaitedByDeps) {
    super(call, deps);
    this.#requests = requestsOf(call);
    this.ids = this.#requests.flatMap(({ id = [] }) => id);
  }

  isAwaitedToken(token: string): boolean {
    return this.#requests.some(
      ({ progressToken }) => progressToken !== undefined && isSameId(progressToken, token),
    );
  }
}

function requestsOf({ notes }: Call): readonly Message[] {
  const envelope = notes.readEnvelope();
  if (envelope === undefined || envelope.kind === 'unreadable') return [];
  const messages = envelope.kind === 'batch' ? envelope.messages : [envelope.message];
  return messages.filter(({ id, method }) => id !== undefined && method !== undefined);
}
