import { type Era, FIRST_MODERN_VERSION, type SessionMode } from '../era.ts';
import { readMessageIds } from '../message-ids.ts';
import { legacySpoken, listsAnnouncedBy, type SpokenEras } from '../spoken-eras.ts';
import { capabilitiesOf, resultOf } from './messages.ts';
import { createRpcResponseReader, type RpcResponse } from './response-reader.ts';

/** Bytes of a request that is searched for `initialize`, and of a response that is read on its way. */
const MAX_READ = 64 * 1024;

const INITIALIZE = Buffer.from('"initialize"');

/** A request of a client on its way to a server. */
export interface PassingRequest {
  readonly mcpMethod: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly sessionMode: SessionMode;
  readonly body: Buffer;
}

/** `initialize` or `server/discover`: the answer shows an era of the server. */
export interface Greeting {
  /** Raw JSON. */
  readonly id: string;
  readonly era: Era;
}

/** @param isWanted for eras of which greetings are looked for: searching a body costs time */
export function greetingIn(
  { mcpMethod, protocolVersion, sessionMode, body }: PassingRequest,
  isWanted: (era: Era) => boolean,
): Greeting | undefined {
  if (body.length > MAX_READ) return undefined;
  const isDiscovering = mcpMethod === 'server/discover' && protocolVersion === FIRST_MODERN_VERSION;
  if (!isDiscovering && sessionMode !== 'undecided') return undefined;
  const era = isDiscovering ? 'modern' : 'legacy';
  if (!isWanted(era) || !(isDiscovering || body.includes(INITIALIZE))) return undefined;
  const ids = readMessageIds(body);
  return ids.kind === 'request' ? { id: ids.id, era } : undefined;
}

/** The era and the announced lists that the answer to a greeting shows; undefined if it is no such answer. */
export function shownBy(response: RpcResponse | undefined, era: Era): SpokenEras | undefined {
  const capabilities = capabilitiesOf(response);
  const listChanged = listsAnnouncedBy(capabilities ?? {});
  if (era === 'modern') return capabilities && { modern: FIRST_MODERN_VERSION, listChanged };
  const version = resultOf(response)?.protocolVersion;
  return typeof version === 'string' ? { legacy: legacySpoken(version), listChanged } : undefined;
}

/** Reads a response as it passes, as far as the answer to a greeting. */
export class GreetingReader {
  readonly #greeting: Greeting;
  readonly #onShown: (spoken: SpokenEras) => void;
  #reader: ReturnType<typeof createRpcResponseReader> | undefined;
  #contentType = '';
  #read = 0;

  constructor(greeting: Greeting, onShown: (spoken: SpokenEras) => void) {
    this.#greeting = greeting;
    this.#onShown = onShown;
  }

  begin(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    if (status !== 200 || headers['content-encoding'] !== undefined) return;
    this.#contentType = String(headers['content-type']);
    this.#reader = createRpcResponseReader(JSON.parse(this.#greeting.id));
  }

  read(chunk: Buffer): void {
    this.#read += chunk.length;
    if (this.#read > MAX_READ) this.#reader = undefined;
    if (this.#reader?.read(chunk, { 'content-type': this.#contentType })) this.end();
  }

  /** The response has ended, or nobody reads on. */
  end(): void {
    const shown = this.#reader && shownBy(this.#reader.response(), this.#greeting.era);
    this.#reader = undefined;
    if (shown !== undefined) this.#onShown(shown);
  }
}
