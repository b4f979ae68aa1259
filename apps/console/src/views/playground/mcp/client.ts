import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { CallRefused, type Exchange, type ExchangeDeps, exchange, withToken } from './exchange.ts';
import { callOf, type Kind, LISTS, type Listed } from './listed.ts';
import {
  type Answer,
  type Era,
  type Headers,
  INITIALIZE,
  INITIALIZED,
  type Message,
  modernRequest,
} from './messages.ts';
import { type ReadList, readList } from './read-list.ts';

/** What there is of one kind behind a gateway URL, as the person may use it. */
export interface ListOf extends ReadList {
  readonly era: Era;
}

/** A client of one gateway URL. */
export interface GatewayClient {
  /** @throws CallRefused where there is no list in the answer */
  list(kind: Kind, signal: AbortSignal): Promise<ListOf>;
  /** Calls what is listed. The answer is in the exchange, also where that is an error. @throws CallRefused */
  call(listed: Listed, args: JsonObject, signal: AbortSignal): Promise<Exchange>;
  /** Ends the session, if there is one. The client may be used again. */
  close(): void;
}

/** What every message after the greeting carries. */
interface Greeted {
  readonly era: Era;
  readonly headers: Headers;
  /** Of the server. */
  readonly capabilities: JsonObject;
}

/** A client of both eras; without `era` it finds out which of them the server speaks, the newer one first. */
export function createGatewayClient(deps: ExchangeDeps, era: Era | undefined): GatewayClient {
  let greeted: Promise<Greeted> | undefined;
  let lastId = 0;
  const send = (message: Message, signal: AbortSignal): Promise<Exchange> => {
    lastId += 1;
    return exchange(deps, message, lastId, signal);
  };

  const greet = async (signal: AbortSignal): Promise<Greeted> => {
    if (era !== 'legacy') {
      const discovered = await send(modernRequest('server/discover'), signal);
      if (discovered.answer.kind === 'result') {
        const capabilities = capabilitiesIn(discovered.answer.result);
        return { era: 'modern', headers: [], capabilities };
      }
      if (era === 'modern' || !isLegacyAnswer(discovered)) throw new CallRefused(discovered);
    }
    const initialized = await send(INITIALIZE, signal);
    const { answer, headers } = initialized;
    if (answer.kind !== 'result') throw new CallRefused(initialized);
    const session = sessionOf(answer.result, headers);
    await send({ ...INITIALIZED, headers: session }, signal);
    return { era: 'legacy', headers: session, capabilities: capabilitiesIn(answer.result) };
  };

  const greetOnce = (signal: AbortSignal): Promise<Greeted> => {
    greeted ??= greet(signal).catch((error: unknown) => {
      greeted = undefined;
      throw error;
    });
    return greeted;
  };

  /** A session that has ended begins again, once (2025-11-25 transports, "Session Management"). */
  const request = async (make: (greeted: Greeted) => Message, signal: AbortSignal) => {
    const before = await greetOnce(signal);
    const answered = await send(make(before), signal);
    if (before.era === 'modern' || answered.status !== 404) return answered;
    greeted = undefined;
    return send(make(await greetOnce(signal)), signal);
  };

  return {
    async list(kind, signal) {
      const { era: spoken, capabilities } = await greetOnce(signal);
      // A server that says nothing of tools may have some.
      const lists = kind === 'tools' || Object.hasOwn(capabilities, kind) ? LISTS[kind] : [];
      const read: ReadList[] = [];
      for (const list of lists) {
        const ask = (params: JsonObject) =>
          request((by) => messageOf(by, list.method, params), signal);
        read.push(await readList(kind, list, ask));
      }
      return {
        era: spoken,
        entries: read.flatMap(({ entries }) => entries),
        isPartial: read.some(({ isPartial }) => isPartial),
        states: new Map(read.flatMap(({ states }) => [...states])),
      };
    },
    call(listed, args, signal) {
      const { method, params, mirrored } = callOf(listed, args);
      return request((by) => messageOf(by, method, params, mirrored), signal);
    },
    close() {
      const ending = greeted;
      greeted = undefined;
      ending?.then((by) => endSession(deps, by)).catch(() => undefined);
    },
  };
}

function messageOf(
  { era, headers }: Greeted,
  method: string,
  params: JsonObject,
  mirrored: Headers = [],
): Message {
  return era === 'modern' ? modernRequest(method, params, mirrored) : { method, params, headers };
}

function capabilitiesIn({ capabilities }: JsonObject): JsonObject {
  return isJsonObject(capabilities) ? capabilities : {};
}

/** Whether a server that has no modern era may have answered this: Gatehouse itself refuses by problems and its own codes. */
function isLegacyAnswer({ answer, status }: Exchange): boolean {
  if (status === 401 || status >= 500) return false;
  return answer.kind === 'unreadable' || (answer.kind === 'error' && !isOfGateway(answer));
}

/** The codes that the gateway has for itself, outside of what JSON-RPC reserves. */
function isOfGateway(answer: Extract<Answer, { kind: 'error' }>): boolean {
  return answer.code <= -31_000 && answer.code > -32_000;
}

function sessionOf({ protocolVersion }: JsonObject, headers: Headers): Headers {
  const version: Headers =
    typeof protocolVersion === 'string' ? [['mcp-protocol-version', protocolVersion]] : [];
  const id = headers.find(([name]) => name === 'mcp-session-id')?.[1];
  return id === undefined ? version : [...version, ['mcp-session-id', id]];
}

/** The page may be closing, so the request outlives it. */
async function endSession(deps: ExchangeDeps, { headers }: Greeted): Promise<void> {
  if (!headers.some(([name]) => name === 'mcp-session-id')) return;
  const token = await deps.tokens.current();
  await deps.fetch(deps.path, {
    method: 'DELETE',
    headers: withToken(headers, token),
    credentials: 'omit',
    keepalive: true,
  });
}
