import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeLater } from '../../../egress/support.ts';

/** A request that a provider received. */
export interface Received {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a provider sends. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

/** By path without query; `undefined` is 404. */
export type Routes = Readonly<Record<string, Reply | ((request: Received) => Reply) | undefined>>;

/** A running provider. */
export interface ProviderServer {
  readonly origin: string;
  readonly received: readonly Received[];
  /** Replaces what it sends. */
  serve(routes: Routes): void;
}

/** A provider on this machine, until the test ends. */
export async function openProvider(routes: Routes = {}): Promise<ProviderServer> {
  let current = routes;
  const received: Received[] = [];
  const server = createServer((req, res) => {
    void answer(req, res).catch(() => res.destroy());
  });
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = req;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(request);
    const route = current[path.split('?')[0] ?? ''];
    const reply = typeof route === 'function' ? route(request) : (route ?? { status: 404 });
    const isText = typeof reply.body === 'string';
    const type = isText ? 'text/plain' : 'application/json';
    res.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers });
    res.end(isText ? reply.body : JSON.stringify(reply.body ?? {}));
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    serve: (next) => {
      current = next;
    },
  };
}
