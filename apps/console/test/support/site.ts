import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createMockGatehouse, type MockGatehouse } from '@gatehouse/mocks';
import { getResponse } from 'msw';
import { answerMcp } from '../../demo/gateway.ts';
import { AXE_PATH, axeScript } from './axe-script.ts';
import { CONTENT_SECURITY_POLICY } from './policy.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** What a test may change while the site runs. */
export interface SiteState {
  mocks: MockGatehouse;
  /** Of the person who is signed in; undefined when nobody is. */
  token: string | undefined;
  /** Responds instead of the mocks, or lets them respond by returning undefined. */
  fault: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
  /** Responds instead of the gateway. */
  gateway: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
  /** Responds to a request for a token of a gateway URL, instead of with one. */
  refusedResource: ((resource: string) => Response | undefined) | undefined;
  /** `GET /api/v1/me` and so on, in their order. */
  readonly requests: string[];
  tokensIssued: number;
}

export interface ConsoleSite {
  readonly origin: string;
  readonly state: SiteState;
  close(): Promise<void>;
}

/** The built console as the server serves it, over the mocks instead of an installation. @param dist its folder */
export async function startConsoleSite(dist = DIST): Promise<ConsoleSite> {
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mocks = createMockGatehouse({ baseUrl: origin });
  const state: SiteState = {
    mocks,
    token: mocks.tokens.owner,
    fault: undefined,
    gateway: undefined,
    refusedResource: undefined,
    requests: [],
    tokensIssued: 0,
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname === '/console/token') return sendToken(request, response);
    if (pathname === '/console/sign-out') return void response.writeHead(204).end();
    if (pathname.startsWith('/api/v1/')) return send(response, await api(request, pathname));
    if (pathname.startsWith('/mcp/')) return send(response, await call(request));
    if (pathname === '/console' || pathname.startsWith('/console/'))
      return file(dist, pathname, response);
    // Sign-in, account and the links to connect: pages of the server.
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${pathname}</h1>`);
  }

  async function sendToken(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resource } = JSON.parse(await text(incoming)) as { resource?: string };
    const { token: accessToken } = state;
    if (accessToken === undefined) return void response.writeHead(401).end();
    const refused = resource === undefined ? undefined : state.refusedResource?.(resource);
    if (refused !== undefined) return send(response, refused);
    state.tokensIssued += 1;
    const expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ accessToken, userId: await userIdOf(accessToken), expiresAt }));
  }

  async function userIdOf(token: string): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${token}` };
    const me = new Request(`${state.mocks.baseUrl}/me`, { headers });
    const response = await getResponse([...state.mocks.handlers], me);
    const body: { user?: { id: string } } = (await response?.json()) ?? {};
    return body.user?.id;
  }

  async function requestOf(incoming: IncomingMessage): Promise<Request> {
    const body = await text(incoming);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    return new Request(new URL(incoming.url ?? '/', origin), {
      method: incoming.method ?? 'GET',
      headers: Object.fromEntries(headers),
      ...(body !== '' && { body }),
    });
  }

  async function call(incoming: IncomingMessage): Promise<Response> {
    const request = await requestOf(incoming);
    return (await state.gateway?.(request.clone())) ?? answerMcp(state.mocks, request);
  }

  async function api(incoming: IncomingMessage, pathname: string): Promise<Response> {
    state.requests.push(`${incoming.method} ${pathname}`);
    const request = await requestOf(incoming);
    const faulty = await state.fault?.(request);
    const answered = faulty ?? (await getResponse([...state.mocks.handlers], request));
    return answered ?? new Response(null, { status: 404 });
  }

  return {
    origin,
    state,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const part of answer.body ?? []) response.write(part);
  response.end();
}

async function file(dist: string, pathname: string, response: ServerResponse): Promise<void> {
  const path = pathname.replace(/^\/console\/?/, '');
  const isAsset = path.startsWith('assets/');
  const read = () => readFile(join(dist, isAsset ? path : 'index.html')).catch(() => undefined);
  const content = pathname === AXE_PATH ? axeScript : await read();
  if (content === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': TYPES[isAsset ? extname(path) : '.html'] ?? 'application/octet-stream',
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  });
  response.end(content);
}
