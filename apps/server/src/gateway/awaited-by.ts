import { type Awaited, AwaitedMessages, type DroppedMessage } from '../mcp/awaited-messages.ts';
import type { Message } from '../mcp/envelope/message.ts';
import { isSameId } from '../mcp/ids.ts';
import type { Call, CallDeps } from './call.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { OpenCalls } from './open-calls.ts';

export interface AwaitedByDeps extends Pick<CallDeps, 'log'> {
  readonly metrics: Pick<GatewayMetrics, 'countDropped'>;
  readonly openCalls: Pick<OpenCalls, 'some'>;
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
  readonly #isInFlight: (token: string) => boolean;

  constructor(call: Call, deps: AwaitedByDeps) {
    super(call, deps);
    this.#isInFlight = (token) =>
      deps.openCalls.some((other) => isOfSameSession(call, other) && hasToken(other, token));
    const { behind, headers } = call.request;
    const isResumed = behind?.isResumed ?? headers['last-event-id'] !== undefined;
    this.ids = isResumed ? undefined : NO_IDS;
  }

  /** A request that another node has sent is not known here: its client misses progress, and no result. */
  isAwaitedToken(token: string): boolean {
    return this.#isInFlight(token);
  }
}

class ToRequests extends OfCall implements Awaited {
  readonly ids: readonly string[];
  readonly mayBeRefused = true;
  readonly #requests: readonly RequestMessage[];

  constructor(call: Call, deps: AwaitedByDeps) {
    super(call, deps);
    this.#requests = requestsOf(call);
    this.ids = this.#requests.map(({ id }) => id);
  }

  isAwaitedToken(token: string): boolean {
    return this.#requests.some((request) => isTokenOf(request, token));
  }
}

function requestsOf({ notes }: Call): readonly RequestMessage[] {
  const envelope = notes.readEnvelope();
  if (envelope === undefined || envelope.kind === 'unreadable') return [];
  if (envelope.kind === 'batch') return envelope.messages.filter(isRequest);
  return isRequest(envelope.message) ? [envelope.message] : [];
}

type RequestMessage = Message & { readonly id: string };

function isRequest(message: Message): message is RequestMessage {
  return message.id !== undefined && message.method !== undefined;
}

/** Whether two calls are of one session, and so of one client at one integration. */
function isOfSameSession({ session }: Call, other: Call): boolean {
  return session !== undefined && session.id === other.session?.id;
}

function hasToken(call: Call, token: string): boolean {
  return requestsOf(call).some((request) => isTokenOf(request, token));
}

function isTokenOf({ progressToken }: Message, token: string): boolean {
  return progressToken !== undefined && isSameId(progressToken, token);
}
