import type { JsonObject, JsonValue } from '@gatehouse/contract';
import { type Exchange, type ExchangeDeps, exchange, withToken } from './exchange.ts';
import {
  type Answer,
  type Era,
  type Headers,
  INITIALIZE,
  INITIALIZED,
  type Message,
  mirroredParams,
  modernRequest,
} from './messages.ts';
import { type ListedTool, toolsIn } from './tools.ts';

/** The tools of an integration, as the person may use them. */
export interface ToolList {
  readonly era: Era;
  readonly tools: readonly ListedTool[];
  /** Whether the server has more than are listed here. */
  readonly isPartial: boolean;
}

/** A client of one gateway URL. */
export interface GatewayClient {
  /** @throws CallRefused where there is no list in the answer */
  listTools(signal: AbortSignal): Promise<ToolList>;
  /** Calls a tool. What it answers is in the exchange, also where that is an error. @throws CallRefused */
  callTool(tool: ListedTool, args: JsonObject, signal: AbortSignal): Promise<Exchange>;
  /** Ends the session, if there is one. The client may be used again. */
  close(): void;
}

/** An answer without what was asked for. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly exchange: Exchange;
  constructor(refused: Exchange) {
    super('The answer is a refusal.');
    this.exchange = refused;
  }
}

/** What every message after the greeting carries. */
interface Greeted {
  readonly era: Era;
  readonly headers: Headers;
}

const MOST_PAGES = 20;
const MOST_TOOLS = 1_000;

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
      if (discovered.answer.kind === 'result') return { era: 'modern', headers: [] };
      if (era === 'modern' || !isLegacyAnswer(discovered)) throw new CallRefused(discovered);
    }
    const initialized = await send(INITIALIZE, signal);
    const { answer, headers } = initialized;
    if (answer.kind !== 'result') throw new CallRefused(initialized);
    const session = sessionOf(answer.result, headers);
    await send({ ...INITIALIZED, headers: session }, signal);
    return { era: 'legacy', headers: session };
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
    async listTools(signal) {
      const tools: ListedTool[] = [];
      let cursor: JsonValue | undefined;
      for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const listed = await request((by) => messageOf(by, 'tools/list', params), signal);
        if (listed.answer.kind !== 'result') throw new CallRefused(listed);
        tools.push(...toolsIn(listed.answer.result));
        cursor = listed.answer.result.nextCursor;
        if (typeof cursor !== 'string') break;
      }
      const { era: spoken } = await greetOnce(signal);
      return {
        era: spoken,
        tools: tools.slice(0, MOST_TOOLS),
        isPartial: typeof cursor === 'string' || tools.length > MOST_TOOLS,
      };
    },
    callTool({ name, inputSchema }, args, signal) {
      const mirrored: Headers = [['mcp-name', name], ...mirroredParams(inputSchema, args)];
      const params = { name, arguments: args };
      return request((by) => messageOf(by, 'tools/call', params, mirrored), signal);
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
