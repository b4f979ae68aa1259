import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import { closeServer, listen } from './listen.ts';

/** Options of {@link startBearerForwarder}. */
export interface BearerForwarderOptions {
  /** An http URL. Requests are sent to its host, with the path that the client used. */
  readonly target: string;
  /** Sent as `Authorization: Bearer` on every request. Replaces what the client sent. */
  readonly token: string;
}

/** A running forwarder. */
export interface BearerForwarder {
  /** The target's URL with the forwarder's host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a transparent, streaming HTTP proxy that adds a bearer token, for clients that cannot send
 * one. Host and Origin are translated only if they name the forwarder itself, so that a forged value
 * reaches the target unchanged.
 */
export async function startBearerForwarder(
  options: BearerForwarderOptions,
): Promise<BearerForwarder> {
  const target = new URL(options.target);
  const server = createServer((request, response) =>
    forward(request, response, target, options.token),
  );
  const authority = await listen(server);
  const url = new URL(target);
  url.host = authority;
  return {
    url: url.href,
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: URL,
  token: string,
): void {
  const outbound = sendRequest({
    agent: false,
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port || 80,
    method: request.method,
    path: request.url,
    headers: forwardedHeaders(request, target, token),
    setHost: false,
  });
  outbound.on('response', (inbound) => {
    response.writeHead(inbound.statusCode ?? 502, inbound.statusMessage, inbound.rawHeaders);
    response.flushHeaders();
    inbound.on('error', () => response.destroy());
    inbound.pipe(response);
  });
  outbound.on('error', () => response.destroy());
  response.on('close', () => outbound.destroy());
  request.pipe(outbound);
}

function forwardedHeaders(
  request: IncomingMessage,
  target: URL,
  token: string,
): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase();
    const value = translate(name, request.rawHeaders[index + 1] ?? '', request, target);
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { ...headers, authorization: `Bearer ${token}` };
}

function translate(name: string, value: string, request: IncomingMessage, target: URL): string {
  const port = request.socket.localPort;
  if (name === 'host' && isOwn(`http://${value}`, port)) return target.host;
  if (name === 'origin' && isOwn(value, port)) return target.origin;
  return value;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

function isOwn(origin: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return loopbackNames.includes(url.hostname) && url.port === String(port);
}
