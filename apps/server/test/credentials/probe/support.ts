import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import {
  type Exchange,
  type ScriptedUpstream,
  startScriptedUpstream,
  startUpstream,
  type UpstreamOptions,
} from '@gatehouse/testing';
import { expect, onTestFinished, vi } from 'vitest';
import type { Credentials } from '../../../src/credentials/credentials.ts';
import { presetOf } from '../../../src/credentials/oauth/presets/find-preset.ts';
import type { OauthConfig } from '../../../src/credentials/oauth-config.ts';
import type { CredentialOutcome } from '../../../src/credentials/outcome.ts';
import type { ProbeTarget } from '../../../src/credentials/probe/probe-target.ts';
import { createProber } from '../../../src/credentials/probe/prober.ts';
import { createEgress, type Egress, type EgressOptions } from '../../../src/egress/egress.ts';
import type { UpstreamEras } from '../../../src/eras/upstream-eras.ts';

/** So long that a slow machine is not taken for a slow server. */
export const PATIENT = {
  credential: 30_000,
  discover: 30_000,
  oldTransport: 20_000,
  probe: 50_000,
  endSession: 10_000,
} as const;

/** For probes that nobody asks for eras. */
export const noEras = { ask: async () => ({}), write: async () => undefined };

export const SECRET = 'hunter2-secret';

export const NONE: CredentialOutcome = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};
export const SERVER_TOKEN: CredentialOutcome = {
  kind: 'ready',
  headers: [['authorization', `Bearer ${SECRET}`]],
  source: 'server_token',
  connectionId: undefined,
};
export const CONNECTION: CredentialOutcome = {
  ...SERVER_TOKEN,
  source: 'connection',
  connectionId: 'connection-1',
};
export const NOT_CONNECTED: CredentialOutcome = {
  kind: 'needs_user',
  reason: 'connection_required',
};

interface ProbeOptions {
  readonly category?: ProbeTarget['category'];
  readonly egress?: Partial<EgressOptions>;
  readonly timeouts?: Parameters<typeof createProber>[0]['timeouts'];
  readonly reports?: string[];
  /** The message may name the URL's own origin. */
  readonly isUrlShown?: boolean;
  /** Default: `server_token`. */
  readonly authMode?: ProbeTarget['authMode'];
  /** Makes the integration one of mode `oauth`. */
  readonly oauth?: OauthConfig;
  /** Our own origin. */
  readonly publicUrl?: string;
  /** What a credential is replaced by once it was rejected. */
  readonly renewed?: CredentialOutcome;
  /** The eras are written to the row of this integration. */
  readonly integrationId?: string;
  readonly eras?: (egress: Egress) => UpstreamEras;
  /** Called with what the server has listed. */
  readonly noteLists?: Parameters<typeof createProber>[0]['noteLists'];
}

/** Probes one URL with the outcome resolving is to have; every message is checked for what must not be in it. */
export async function probe(url: string, outcome: CredentialOutcome, options: ProbeOptions = {}) {
  const {
    reports = [],
    timeouts = PATIENT,
    oauth,
    publicUrl = 'https://gatehouse.example.com',
    integrationId = 'integration',
    noteLists = () => Promise.resolve(),
  } = options;
  const egress = createEgress({
    publicUrl: 'https://gatehouse.example.com',
    allowedNetworks: ['127.0.0.0/8', '::1'],
    ...options.egress,
  });
  onTestFinished(() => egress.close());
  const credentials: Credentials = {
    peek: () => outcome,
    resolve: () => Promise.resolve(outcome),
    renew: () => Promise.resolve(options.renewed),
    readFresh: () => Promise.reject(new Error('Nothing is handed out here.')),
    wantScopes: () => Promise.resolve(false),
    reportRejected: (id) => reports.push(`refused ${id}`),
    reportAccepted: (id) => reports.push(`accepted ${id}`),
    flush: () => Promise.resolve(),
  };
  const target: ProbeTarget = {
    organizationId: 'organization',
    integrationId,
    url,
    category: options.category ?? 'gateway_remote_mcp',
    authMode: oauth ? 'oauth' : (options.authMode ?? 'server_token'),
    credentialSchema: null,
    oauthIssuer: undefined,
    oauthClientId: undefined,
    isOauthConfigured: false,
    spokenEras: {},
    upstream: oauth && {
      ...{ organizationId: 'organization', integrationId: 'integration', url },
      config: oauth,
      preset: presetOf(oauth.provider),
    },
  };
  const eras = options.eras?.(egress) ?? noEras;
  const prober = createProber({ credentials, egress, publicUrl, timeouts, eras, noteLists });
  const answer = await prober.probe(target, 'user');
  expectPlain(options.isUrlShown ? withoutOrigin(answer.message, url) : answer.message);
  return answer;
}

function withoutOrigin(message: string, url: string): string {
  return message.replaceAll(new URL(url).origin, '');
}

export function expectPlain(message: string): void {
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message.length).toBeLessThanOrEqual(500);
  expect(message).not.toMatch(/hunter2|127\.0\.0\.1|mcp\.example|elsewhere\.example|key=/);
}

/** The reference upstream; a legacy one refuses the modern era, a guarded method asks for a credential. */
export async function reference(
  options: UpstreamOptions,
  era: 'modern' | 'legacy' = 'modern',
  guarded?: string,
) {
  const upstream = await startUpstream(options);
  onTestFinished(upstream.close);
  if (era === 'modern' && guarded === undefined) return upstream;
  const front = await scripted(async ({ request, message, respond }) => {
    if (guarded !== undefined && message?.method === guarded)
      return respond({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    if (era === 'legacy' && message?.method === 'server/discover') return respond({ status: 400 });
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...headers
    } = request.headers;
    const answer = await fetch(upstream.url, {
      method: request.method,
      headers: headers as Record<string, string>,
      ...(request.body.length > 0 && { body: new Uint8Array(request.body) }),
    });
    const passed = ['content-type', 'mcp-session-id', 'www-authenticate'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    respond({
      status: answer.status,
      headers: Object.fromEntries(passed),
      body: await answer.text(),
    });
  });
  return {
    url: front.url,
    requests: front.requests,
    get sessionIds() {
      return upstream.sessionIds;
    },
  };
}

/** An upstream with one handler, closed after the test. */
export async function scripted(
  handler: (exchange: Exchange) => void | Promise<void>,
): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream();
  upstream.otherwise(handler);
  onTestFinished(upstream.close);
  return upstream;
}

export const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
};

interface LegacyScript {
  readonly onDiscover?: (exchange: Exchange) => void;
  readonly initialize?: (exchange: Exchange) => Promise<void>;
  readonly onList?: (exchange: Exchange) => void;
}

/** A legacy server with one session; parts of it can be replaced. */
export function legacy(script: LegacyScript) {
  return async (exchange: Exchange): Promise<void> => {
    const { message, respond, respondResult } = exchange;
    if (message?.method === 'server/discover') {
      return script.onDiscover ? script.onDiscover(exchange) : respond({ status: 400 });
    }
    if (message?.method === 'initialize') {
      if (script.initialize) return await script.initialize(exchange);
      return respondResult(INITIALIZED, { 'Mcp-Session-Id': 'session-1' });
    }
    if (message?.method === 'notifications/initialized') return respond({ status: 202 });
    if (message?.method === 'tools/list') {
      return script.onList ? script.onList(exchange) : respondResult({ tools: [] });
    }
    respond({ status: 204 });
  };
}

/** A TLS server with one of the certificates of the fixtures, by default one that nobody trusts; its port. */
export async function startTls(certificate = 'localhost'): Promise<number> {
  const options = { key: readFixture('localhost.key'), cert: readFixture(`${certificate}.cert`) };
  const server = createServer(options, (_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Trusts the authority of the fixtures until the test ends, as with NODE_EXTRA_CA_CERTS. */
export function trustAuthority(): void {
  const connect = tls.connect;
  const spy = vi
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: readFixture('authority.cert') })) as typeof tls.connect);
  onTestFinished(async () => spy.mockRestore());
}

/** A file of the fixtures, without its ending. */
export function readFixture(name: string): Buffer {
  return readFileSync(new URL(`../../egress/fixtures/${name}.pem`, import.meta.url));
}

/** Closes after the test, the last opened first. */
export function closeAfter(close: () => Promise<unknown>): void {
  onTestFinished(async () => void (await close()));
}

/** Deadlines of a probe that pass when the test says so; they tell them apart. */
export const TIMEOUTS = {
  discover: 1,
  probe: 2,
  endSession: 3,
  oldTransport: 4,
  credential: 5,
} as const;

/** Replaces `AbortSignal.timeout` until the test ends: the returned function lets a deadline pass. */
export function stopDeadlines(): (milliseconds: number) => void {
  const deadlines = new Map<number, AbortController>();
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    deadlines.set(milliseconds, controller);
    return controller.signal;
  });
  onTestFinished(async () => spy.mockRestore());
  return (milliseconds) =>
    deadlines.get(milliseconds)?.abort(new DOMException('The time is up.', 'TimeoutError'));
}

/** The method of a JSON-RPC message, if there is one. */
export function rpcMethodOf(body: Buffer): string | undefined {
  return body.length === 0
    ? undefined
    : (JSON.parse(body.toString()) as { method?: string }).method;
}
