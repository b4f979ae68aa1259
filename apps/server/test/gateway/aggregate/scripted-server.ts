import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import type { Era } from '../../../src/mcp/era.ts';

type Handler = (exchange: Exchange) => void | Promise<void>;

/** An MCP server of both eras, with the faults that a test writes. */
export interface ScriptedServer extends ScriptedUpstream {
  /** Handles this method from now on; `DELETE` is a method too. Undefined: as at first. */
  on(method: string, handler: Handler | undefined): void;
  /** Handles everything from now on; undefined: as at first. */
  onAll(handler: Handler | undefined): void;
  /** Refuses what is of another era from now on; undefined: speaks both. */
  speakOnly(era: Era | undefined): void;
  /** The messages of this method that it has received. */
  received(method: string): Exchange[];
}

const MODERN = '2026-07-28';
const UNSUPPORTED_VERSION = -32022;
const NO_SESSION = -32000;

function isModern({ request }: Exchange): boolean {
  return request.headers['mcp-protocol-version'] === MODERN;
}

/** As the official servers of each era refuse what they do not speak. */
function refuseEra({ respond, message }: Exchange, spoken: Era): void {
  const code = spoken === 'modern' ? UNSUPPORTED_VERSION : NO_SESSION;
  const error = { code, message: 'Unsupported protocol version' };
  respond({ status: 400, body: { jsonrpc: '2.0', id: message?.id ?? null, error } });
}

export const toolOf = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** A server with one tool, `echo`, which answers with its own label. */
export async function startScriptedServer(
  label: string,
  capabilities: object = {},
): Promise<ScriptedServer> {
  const upstream = await startScriptedUpstream();
  const handlers = new Map<string, Handler>();
  const exchanges: Exchange[] = [];
  let all: Handler | undefined;
  let only: Era | undefined;
  let sessions = 0;
  const methodOf = ({ message, request }: Exchange) => message?.method ?? request.method;
  const usual: Record<string, Handler> = {
    initialize: ({ respondResult }) => {
      sessions += 1;
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: {} };
      respondResult(result, { 'Mcp-Session-Id': `${label}-${sessions}` });
    },
    'server/discover': ({ respondResult }) =>
      respondResult({ supportedVersions: [MODERN], capabilities, resultType: 'complete' }),
    'tools/list': ({ respondResult }) => respondResult({ tools: [toolOf('echo')] }),
    'tools/call': ({ respondResult }) =>
      respondResult({ content: [{ type: 'text', text: label }] }),
  };
  upstream.otherwise((exchange) => {
    exchanges.push(exchange);
    const method = methodOf(exchange);
    if (all === undefined && only !== undefined && isModern(exchange) !== (only === 'modern')) {
      return refuseEra(exchange, only);
    }
    const handle = all ?? handlers.get(method) ?? usual[method];
    if (handle !== undefined) return handle(exchange);
    if (exchange.message?.id === undefined) return exchange.respond({ status: 202 });
    const error = { code: -32601, message: 'Method not found' };
    exchange.respond({ body: { jsonrpc: '2.0', id: exchange.message.id, error } });
  });
  return {
    ...upstream,
    get acceptedConnections() {
      return upstream.acceptedConnections;
    },
    on(method, handler) {
      if (handler === undefined) handlers.delete(method);
      else handlers.set(method, handler);
    },
    onAll(handler) {
      all = handler;
    },
    speakOnly(era) {
      only = era;
    },
    received: (method) => exchanges.filter((exchange) => methodOf(exchange) === method),
  };
}
