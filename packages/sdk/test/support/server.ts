import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { Gatehouse } from '../../src/index.ts';
import type { InternalOptions } from '../../src/resolve-options.ts';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Writes the answer to a request. */
export type Answer = (response: ServerResponse, request: Received) => void;

/** A running server with the requests it got. */
export interface TestServer {
  /** The origin, without `/api/v1`. */
  readonly origin: string;
  readonly received: Received[];
  /** A client of this server, without retries unless the options say so. */
  client(options?: InternalOptions): Gatehouse;
}

/** Starts a server on a free port of 127.0.0.1 that stops after the test. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request;
    const entry = { method, target, headers, body: await text(request) };
    received.push(entry);
    answer(response, entry);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const client = (options: InternalOptions = {}) => {
    const defaults = { baseUrl: origin, accessToken: 'gh_pat_test', maxRetries: 0 };
    return new Gatehouse({ ...defaults, ...options });
  };
  return { origin, received, client };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a problem document. */
export function problem(
  response: ServerResponse,
  status: number,
  code: string,
  members: Record<string, unknown> = {},
): void {
  const type = `urn:gatehouse:problem:${code}`;
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    'x-request-id': 'request-1',
  });
  response.end(JSON.stringify({ type, title: 'A title.', status, code, ...members }));
}
