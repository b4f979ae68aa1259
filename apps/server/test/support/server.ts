import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino, { type Logger } from 'pino';
import { bootstrap } from '../../src/bootstrap.ts';
import { attachNodeErrors } from '../../src/http/node-errors.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createService, type ServiceConfig } from '../../src/service.ts';
import { defaultWindows } from '../../src/sessions/windows.ts';
import { checkDocumented } from './documented-problems.ts';
import { openTestStore, type TestStore } from './store.ts';
import { use } from './use.ts';

export interface CallOptions {
  /** A bearer; by default the owner's, without one if `null`. */
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body, if any. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  readonly body: any;
  readonly text: string;
}

export interface TestServer {
  readonly origin: string;
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly owner: string;
  readonly store: TestStore;
  /** @throws Error for a problem that the OpenAPI document does not have for the operation */
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
  /** A further member of the organization, with a token of all scopes. */
  addMember(role: 'owner' | 'admin' | 'member'): Promise<{ id: string; token: string }>;
  close(): Promise<void>;
}

/** {@link startTestServer} for the tests of this file, or of this block. */
export function useServer(overrides: Partial<ServiceConfig> = {}, log?: Logger): TestServer {
  return use(() => startTestServer(overrides, openTestStore, log));
}

/**
 * The whole service in this process, on a free port and a fresh database of the kind under test, unless
 * one is given.
 */
export async function startTestServer(
  overrides: Partial<ServiceConfig> = {},
  openStore: () => Promise<TestStore> = openTestStore,
  log: Logger = pino({ level: 'silent' }),
  metrics = createMetrics(),
): Promise<TestServer> {
  const store = await openStore();
  const owner = randomBytes(32).toString('base64url');
  await bootstrap(store, owner);
  // A busy machine can hold both ends for seconds. The server must not close a connection that the
  // client is about to use again.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 120_000 });
  attachNodeErrors(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await createService(
    {
      publicUrl: origin,
      allowedOrigins: [],
      trustedProxies: [],
      allowedNetworks: ['127.0.0.0/8', '::1/128'],
      rateLimit: 0,
      metricsToken: undefined,
      encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
      sessionWindows: defaultWindows,
      passwordSignIn: true,
      externalSignIn: undefined,
      version: '0.0.0-test',
      auditCalls: 'behind',
      auditLog: false,
      auditCallDays: 90,
      auditChangeDays: 365,
      usageDays: 400,
      nodeId: undefined,
      keySource: 'environment',
      ...overrides,
    },
    store,
    log,
    metrics,
  );
  server.on('request', service.listener);

  const baseUrl = `${origin}/api/v1`;
  const call: TestServer['call'] = async (method, path, { token = owner, body, headers } = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/.*json/.test(response.headers.get('content-type') ?? '');
    const called = {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    };
    checkDocumented(method, path, called);
    return called;
  };

  let members = 0;
  return {
    origin,
    baseUrl,
    owner,
    store,
    call,
    async addMember(role) {
      members += 1;
      const invited = await call('POST', '/members', {
        body: { email: `${role}-${members}@example.com`, name: `${role} ${members}`, role },
      });
      const created = await call('POST', '/tokens', {
        token: invited.body.invitation,
        body: { name: 'test', scopes: ['mcp', 'management:read', 'management:write'] },
      });
      return { id: invited.body.member.id, token: created.body.secret };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
      await store.close();
    },
  };
}
