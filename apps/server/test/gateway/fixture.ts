import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import pino from 'pino';
import { createCatalogues } from '../../src/catalogue/catalogues.ts';
import { type Credentials, createCredentials } from '../../src/credentials/credentials.ts';
import type { CredentialTarget } from '../../src/credentials/target.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { UpstreamEras, type UpstreamErasOptions } from '../../src/eras/upstream-eras.ts';
import type { BeginCall } from '../../src/gateway/call-audit.ts';
import { createCallLog } from '../../src/gateway/call-log.ts';
import type { CallObserver } from '../../src/gateway/call-record.ts';
import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import { createGatewayListener } from '../../src/gateway/http/listener.ts';
import type { GatewayLimits } from '../../src/gateway/limits.ts';
import { createCallCounter } from '../../src/gateway/metrics.ts';
import { createCursors } from '../../src/http/cursor.ts';
import { createHostAndOrigin } from '../../src/http/host-and-origin.ts';
import { createAuthenticator } from '../../src/identity/authenticator.ts';
import { findCaller, findCallerAgain } from '../../src/identity/find-caller.ts';
import { createCallLimits } from '../../src/limits/call-limits.ts';
import type { SpokenEras } from '../../src/mcp/spoken-eras.ts';
import { createCache } from '../../src/platform/changes/create-cache.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createMetrics, type Metrics } from '../../src/platform/metrics.ts';
import type { ServiceConfig } from '../../src/service.ts';
import { createConnectSessionIds } from '../../src/sessions/connect-session-ids.ts';
import { createSessions, type Sessions } from '../../src/sessions/sessions.ts';
import { defaultWindows, type SessionWindows } from '../../src/sessions/windows.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createVault } from '../../src/vault/vault.ts';
import { noRefresher } from '../credentials/no-refresher.ts';
import { type Called, startTestServer, type TestServer } from '../support/server.ts';
import { use } from '../support/use.ts';

const encryptionKeys = [{ id: 'test', key: randomBytes(32) }];

export const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };

/** What is known of an upstream that speaks both eras. */
export const BOTH: SpokenEras = { legacy: '2025-11-25', modern: '2026-07-28' };

/** Of a legacy client without a session, because its upstream does not issue ids. */
export const STATELESS = { 'mcp-protocol-version': '2025-11-25' };

/** A separate gateway over a store, on a free port. */
export interface TestGateway {
  readonly origin: string;
  readonly gateway: Gateway;
  readonly sessions: Sessions;
  readonly eras: UpstreamEras;
  readonly metrics: Metrics;
  /** Resolves when the next request has been given to the gateway. */
  arrival(): Promise<unknown>;
  close(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly limits?: Partial<GatewayLimits>;
  readonly eras?: Pick<UpstreamErasOptions, 'askWithin'>;
  readonly windows?: SessionWindows;
  readonly allowedOrigins?: readonly string[];
  readonly noteUse?: (tokenId: string) => void;
  readonly publicUrl?: string;
  /** In place of that of the credentials. */
  readonly renew?: Credentials['renew'];
  /** Before each look for a credential. */
  readonly beforeResolve?: (target: CredentialTarget) => Promise<void>;
  readonly log?: pino.Logger;
  /** Besides those of the log and the metrics. */
  readonly observers?: readonly CallObserver[];
  readonly beginCall?: BeginCall;
}

export async function startGateway(
  store: Store,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { limits = {}, windows = defaultWindows, allowedOrigins = [] } = options;
  const { publicUrl = 'http://127.0.0.1', renew, log = pino({ level: 'silent' }) } = options;
  const { beforeResolve = async () => {} } = options;
  const keyring = createKeyring(encryptionKeys);
  const vault = createVault(keyring);
  const onError = (error: unknown) => {
    throw error;
  };
  const egress = createEgress({
    allowedNetworks: ['127.0.0.0/8'],
    publicUrl: 'http://127.0.0.1',
  });
  const mac = createMac(keyring, 'question');
  const sessions = createSessions({
    ...{ store, vault, mac, windows, onError },
    onUntakenAnswer: onError,
  });
  const metrics = createMetrics();
  const eras = new UpstreamEras({ store, egress, onError, ...options.eras });
  const catalogues = createCatalogues(store, onError);
  const callLimits = createCallLimits({ store, onError });
  const credentials = createCredentials({ store, vault, refresher: noRefresher });
  const gateway = createGateway({
    store,
    eras,
    catalogues,
    callLimits,
    authenticator: createAuthenticator({
      cache: createCache({ changes: store.changes, maxEntries: 1000 }),
      find: (token) => findCaller(store.db, publicUrl, token),
      findAgain: (caller) => findCallerAgain(store.db, caller),
      noteUse: options.noteUse ?? (() => {}),
    }),
    credentials: {
      ...credentials,
      resolve: (target, userId) =>
        beforeResolve(target).then(() => credentials.resolve(target, userId)),
      ...(renew && { renew }),
    },
    egress,
    sessions,
    connectSessions: createConnectSessionIds(createMac(keyring, 'connect-session')),
    cursors: createCursors(createMac(keyring, 'cursor')),
    hostAndOrigin: createHostAndOrigin({ publicUrl: 'http://127.0.0.1', allowedOrigins }),
    countFailure: async () => {},
    observers: [createCallLog(log), createCallCounter(metrics), ...(options.observers ?? [])],
    beginCall: options.beginCall,
    metrics,
    publicUrl,
    version: '0.0.0-test',
    log,
    limits,
  });
  const arrivals = new EventEmitter();
  const serve = createGatewayListener(gateway, () => '192.0.2.1');
  const { origin, close } = await listen((req, res) => {
    if (!serve(req, res)) res.writeHead(418).end();
    arrivals.emit('arrival');
  });
  return {
    origin,
    gateway,
    sessions,
    eras,
    metrics,
    arrival: () => once(arrivals, 'arrival'),
    async close() {
      await close();
      await gateway.close();
      await sessions.close();
      await eras.close();
      await catalogues.close();
      await callLimits.close();
      await egress.close();
    },
  };
}

/** The whole service, a scripted upstream, and an application that integrations of it are attached to. */
export interface Fixture {
  readonly server: TestServer;
  readonly upstream: ScriptedUpstream;
  readonly applicationId: string;
  /** A new attached integration of the upstream, by default known to speak both eras; its id. */
  integrate(fields?: Record<string, unknown>, eras?: SpokenEras): Promise<string>;
  /** The gateway URL. */
  urlOf(integrationId: string, origin?: string): string;
  api(method: string, path: string, body?: unknown, token?: string): Promise<Called>;
  close(): Promise<void>;
}

/** {@link startFixture} for the tests of this file, or of this block. @param configure called when it starts */
export function useFixture(configure: () => Partial<ServiceConfig> = () => ({})): Fixture {
  return use(() => startFixture(configure()));
}

async function startFixture(overrides: Partial<ServiceConfig>): Promise<Fixture> {
  const server = await startTestServer({ encryptionKeys, ...overrides });
  const upstream = await startScriptedUpstream();
  const api: Fixture['api'] = async (method, path, body, token = server.owner) => {
    const called = await server.call(method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    if (called.status >= 300) throw new Error(`${method} ${path} answered ${called.text}`);
    return called;
  };
  const created = await api('POST', '/applications', {
    name: 'Assistant',
    oauth: { type: 'public', redirectUris: ['http://localhost/callback'] },
  });
  const applicationId: string = created.body.application.id;
  return {
    server,
    upstream,
    applicationId,
    async integrate(fields = {}, eras = BOTH) {
      const { body } = await api('POST', '/integrations', {
        name: 'Scripted',
        url: upstream.url,
        ...fields,
      });
      const { id, url } = body.integration;
      await server.store.db.integration.update({
        where: { id },
        data: { spokenEras: { url, ...eras } },
      });
      await api('POST', `/applications/${applicationId}/integrations/${id}`);
      return id;
    },
    urlOf: (integrationId, origin = server.origin) =>
      `${origin}/mcp/${applicationId}/${integrationId}`,
    api,
    async close() {
      await upstream.close();
      await server.close();
    },
  };
}

export interface SendOptions {
  readonly method?: string;
  readonly token?: string | null;
  /** Names and values, or several under one name. */
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  /** The client leaves. */
  readonly signal?: AbortSignal;
}

/** An answer after its head, with its raw bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly stream: IncomingMessage;
  text(): Promise<string>;
  /** Waits until `text` has come in; everything received so far. */
  received(text: string): Promise<string>;
  /** Goes away. */
  abort(): void;
}

export const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };

/** A client: POSTs JSON with the token, read at each call, unless told otherwise. */
export function clientOf(token: string | (() => string)) {
  return async (url: string, options: SendOptions = {}): Promise<Answer> => {
    const { method = 'POST', headers = {}, body = method === 'POST' ? CALL : undefined } = options;
    const own = typeof token === 'string' ? token : token();
    const bearer = options.token === undefined ? own : options.token;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const bytes = body === undefined ? undefined : Buffer.from(isRaw ? body : JSON.stringify(body));
    const req = request(url, {
      method,
      agent: false,
      signal: options.signal,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        accept: 'application/json, text/event-stream',
        ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}),
        ...headers,
      },
    });
    req.end(bytes);
    const [stream] = (await once(req, 'response')) as [IncomingMessage];
    return answerOf(stream, () => req.destroy());
  };
}

function answerOf(stream: IncomingMessage, abort: () => void): Answer {
  let taken = '';
  const ended = new Promise<string>((resolve, reject) => {
    stream.on('end', () => resolve(taken));
    stream.on('error', reject);
  });
  ended.catch(() => {});
  const read = (chunk: Buffer) => {
    taken += chunk.toString('latin1');
    stream.emit('taken');
  };
  const take = () => {
    if (!stream.listeners('data').includes(read)) stream.on('data', read);
  };
  return {
    status: stream.statusCode ?? 0,
    headers: stream.headers,
    rawHeaders: stream.rawHeaders,
    stream,
    text() {
      take();
      return ended;
    },
    async received(text) {
      take();
      while (!taken.includes(text)) {
        if (stream.readableEnded) throw new Error(`The stream ended without ${text}.`);
        await Promise.race([once(stream, 'taken'), ended]);
      }
      return taken;
    },
    abort,
  };
}

export async function listen(
  listener: RequestListener,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
