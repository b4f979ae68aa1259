import { createServer } from 'node:http';
import { closeServer, type ListenOptions, listen } from '../listen.ts';
import { createRecorder, type Recording } from '../recording.ts';
import { createExchange, type Exchange } from './exchange.ts';

/** Responds to one request, or keeps it open. */
export type ExchangeHandler = (exchange: Exchange) => void | Promise<void>;

/** An upstream with responses that the test writes. */
export interface ScriptedUpstream extends Recording {
  /** `http://127.0.0.1:<port>/mcp`. Every other path works in the same way. */
  readonly url: string;
  /** Connections open now. */
  connections(): Promise<number>;
  /** Connections accepted so far. */
  readonly acceptedConnections: number;
  /** The next request without a handler. Nothing is sent until the test sends it. */
  nextRequest(): Promise<Exchange>;
  /** Passes the next request to this handler, after the handlers that were added before. */
  once(handler: ExchangeHandler): void;
  /** Passes every request without another handler to this one. */
  otherwise(handler: ExchangeHandler): void;
  /** Responds to the next `times` requests with 401 and a challenge. */
  refuse(times: number): void;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

const challenge = 'Bearer realm="scripted-upstream", error="invalid_token"';

/** Starts a plain HTTP server that sends nothing by itself. */
export async function startScriptedUpstream(
  options: ListenOptions = {},
): Promise<ScriptedUpstream> {
  const recorder = createRecorder();
  const handlers: ExchangeHandler[] = [];
  const unclaimed: Exchange[] = [];
  let fallback: ExchangeHandler = (exchange) => void unclaimed.push(exchange);
  let acceptedConnections = 0;

  const server = createServer(async (request, response) => {
    const recorded = await recorder.record(request).catch(() => undefined);
    if (!recorded) return;
    const handle = handlers.shift() ?? fallback;
    await handle(createExchange(recorded, response));
  });
  server.on('connection', () => {
    acceptedConnections += 1;
  });
  const authority = await listen(server, options);

  return {
    url: `http://${authority}/mcp`,
    requests: recorder.requests,
    hasReceived: recorder.hasReceived,
    get acceptedConnections() {
      return acceptedConnections;
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    nextRequest() {
      const waiting = unclaimed.shift();
      if (waiting) return Promise.resolve(waiting);
      return new Promise((resolve) => handlers.push(resolve));
    },
    once: (handler) => void handlers.push(handler),
    otherwise(handler) {
      fallback = handler;
    },
    refuse(times) {
      for (let count = 0; count < times; count += 1) {
        handlers.push(({ respond }) =>
          respond({
            status: 401,
            headers: { 'WWW-Authenticate': challenge },
            body: 'Unauthorized',
          }),
        );
      }
    },
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}
