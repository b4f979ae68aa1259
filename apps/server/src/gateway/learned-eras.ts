import type { Dispatcher } from 'undici';
import type { EraNotes } from '../credentials/probe/era-notes.ts';
import { capabilitiesOf, resultOf } from '../mcp/client/messages.ts';
import { createRpcResponseReader, type RpcResponse } from '../mcp/client/response-reader.ts';
import { FIRST_MODERN_VERSION, type SessionMode } from '../mcp/era.ts';
import type { MessageIds } from '../mcp/message-ids.ts';
import {
  isModernSpoken,
  legacySpoken,
  listsAnnouncedBy,
  type SpokenEras,
} from '../mcp/spoken-eras.ts';
import type { ProblemError } from '../platform/problem-error.ts';
import type { Admission } from './admission.ts';
import type { Call } from './call.ts';
import { messageIdsOf, type RequestBody } from './request-body.ts';
import type { CallResponse } from './response.ts';
import type { ResponseHeaders } from './response-head.ts';
import type { Route } from './routes.ts';

/** Bytes of a body that is searched for `initialize`, and of a response that is read on its way. */
const MAX_READ = 64 * 1024;

const INITIALIZE = Buffer.from('"initialize"');

/** The greeting of a client. Its answer shows an era, and which lists the server announces changes of. */
interface Greeting {
  /** Of the message, as JSON. */
  readonly id: string;
  readonly spokenBy: (response: RpcResponse) => SpokenEras | undefined;
}

/**
 * The response to `initialize` or `server/discover`. It is read on its way if it shows something that is not known
 * of the upstream, and under rules about names, where what it declares last counts. Other calls are only relayed.
 */
export function learning(
  relayed: CallResponse,
  call: Call,
  { route, sessionMode }: Pick<Admission, 'route' | 'sessionMode'>,
  body: RequestBody,
  { eraNotes }: { readonly eraNotes: Pick<EraNotes, 'note'> },
): CallResponse {
  const greeting = greetingOf(call, route, sessionMode, body);
  if (greeting === undefined) return relayed;
  return new GreetingResponse(relayed, call, greeting, (spoken) =>
    eraNotes.note({ ...route.target, spokenEras: route.spokenEras }, spoken),
  );
}

function greetingOf(
  { request, inbound }: Call,
  { spokenEras: spoken, policy }: Pick<Route, 'spokenEras' | 'policy'>,
  sessionMode: SessionMode,
  body: RequestBody,
): Greeting | undefined {
  if (request.method !== 'POST' || !(body instanceof Buffer) || body.length > MAX_READ)
    return undefined;
  const isDiscovering =
    inbound.mcpMethod === 'server/discover' && inbound.protocolVersion === FIRST_MODERN_VERSION;
  const hasNews = spoken.listChanged === undefined || policy?.hasNameRules === true;
  const spokenBy =
    isDiscovering && (hasNews || !isModernSpoken(spoken))
      ? modernSpokenBy
      : sessionMode === 'undecided' && (hasNews || !spoken.legacy) && body.includes(INITIALIZE)
        ? legacySpokenBy
        : undefined;
  const ids = spokenBy && messageIdsOf(body);
  return spokenBy && ids?.kind === 'request' ? { id: ids.id, spokenBy } : undefined;
}

function modernSpokenBy(response: RpcResponse): SpokenEras | undefined {
  const capabilities = capabilitiesOf(response);
  return (
    capabilities && { modern: FIRST_MODERN_VERSION, listChanged: listsAnnouncedBy(capabilities) }
  );
}

function legacySpokenBy(response: RpcResponse): SpokenEras | undefined {
  const version = resultOf(response)?.protocolVersion;
  if (typeof version !== 'string') return undefined;
  const listChanged = listsAnnouncedBy(capabilitiesOf(response) ?? {});
  return { legacy: legacySpoken(version), listChanged };
}

/** Relays a response, and reads it as far as the answer to the greeting. */
class GreetingResponse implements CallResponse {
  readonly #relayed: CallResponse;
  readonly #call: Call;
  readonly #greeting: Greeting;
  readonly #note: (spoken: SpokenEras) => void;
  #reader: ReturnType<typeof createRpcResponseReader> | undefined;
  #headers: ResponseHeaders = {};
  #read = 0;

  constructor(
    relayed: CallResponse,
    call: Call,
    greeting: Greeting,
    note: (spoken: SpokenEras) => void,
  ) {
    this.#relayed = relayed;
    this.#call = call;
    this.#greeting = greeting;
    this.#note = note;
  }

  get mustBePlain(): boolean {
    return this.#relayed.mustBePlain;
  }

  start(status: number, headers: ResponseHeaders, sessionMode: SessionMode): void {
    const isReadable = status === 200 && headers['content-encoding'] === undefined;
    if (isReadable) this.#reader = createRpcResponseReader(JSON.parse(this.#greeting.id));
    this.#headers = headers;
    this.#relayed.start(status, headers, sessionMode);
  }

  write(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#relayed.write(controller, chunk);
    this.#read += chunk.length;
    if (this.#read > MAX_READ) this.#reader = undefined;
    const contentType = String(this.#headers['content-type']);
    const isComplete = this.#reader?.read(chunk, { 'content-type': contentType });
    if (isComplete || this.#call.hasEnded) this.#learn();
  }

  end(): void {
    this.#learn();
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

  #learn(): void {
    const response = this.#reader?.response();
    this.#reader = undefined;
    const spoken = response && this.#greeting.spokenBy(response);
    if (spoken !== undefined) this.#note(spoken);
  }
}
