import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';

type Handler = (exchange: Exchange) => void | Promise<void>;

/** An MCP server of both eras, with the faults that a test writes. */
export interface ScriptedServer extends ScriptedUpstream {
  /** Handles this method from now on; `DELETE` is a method too. Undefined: as at first. */
  on(method: string, handler: Handler | undefined): void;
  /** Handles everything from now on; undefined: as at first. */
  onAll(handler: Handler | undefined): void;
  /** The messages of this method that it has received. */
  received(method: string): Exchange[];
}

export const toolOf = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** A server with one tool, `echo`, which answers with its own label. */
export async function startScriptedServer(label: string): Promise<ScriptedServer> {
  const upstream = await startScriptedUpstream();
  const handlers = new Map<string, Handler>();
  const exchanges: Exchange[] = [];
  let all: Handler | undefined;
  let sessions = 0;
  const methodOf = ({ message, request }: Exchange) => message?.method ?? request.method;
  const usual: Record<string, Handler> = {
    initialize: ({ respondResult }) => {
      sessions += 1;
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
      respondResult(result, { 'Mcp-Session-Id': `${label}-${sessions}` });
    },
    'tools/list': ({ respondResult }) => respondResult({ tools: [toolOf('echo')] }),
    'tools/call': ({ respondResult }) =>
      respondResult({ content: [{ type: 'text', text: label }] }),
  };
  upstream.otherwise((exchange) => {
    exchanges.push(exchange);
    const method = methodOf(exchange);
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
    received: (method) => exchanges.filter((exchange) => methodOf(exchange) === method),
  };
}
