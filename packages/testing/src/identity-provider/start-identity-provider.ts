import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, type ListenOptions, listen } from '../listen.ts';
import { approve } from './approve.ts';
import type { ProviderClientOptions } from './clients/client.ts';
import { type ClientTable, createClientTable } from './clients/client-table.ts';
import { createPendingAuthorizations } from './endpoints/authorization-request.ts';
import type { Context } from './endpoints/context.ts';
import { routeOf } from './endpoints/routes.ts';
import { createFaultTable } from './faults/fault-table.ts';
import { createGrantTable, type GrantTable } from './grants/grant-table.ts';
import { issueTokens } from './grants/issue-tokens.ts';
import { handleRequest } from './handle-request.ts';
import { type OpenRequest, readRequest } from './http/read-request.ts';
import type { Reply } from './http/reply.ts';
import type {
  IdentityProvider,
  IssuedByTest,
  IssueOptions,
  ProviderCounts,
  VerifiedToken,
} from './identity-provider.ts';
import { DEFAULT_SETTINGS, type ProviderSettings } from './settings.ts';

/** Options of {@link startIdentityProvider}. */
export interface IdentityProviderOptions extends ListenOptions, Partial<ProviderSettings> {
  /** The path of the issuer, such as `/tenant`. Default: no path. */
  readonly issuerPath?: string;
  /** Clients that are known from the start. Default: empty, because clients may register themselves. */
  readonly clients?: readonly ProviderClientOptions[];
  /** Reads Client ID Metadata Documents. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Starts an OAuth authorization server and OpenID provider for tests, on a free port, with faults that
 * a test can set at any time. It keeps everything in memory until it is closed, secrets included.
 */
export async function startIdentityProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const {
    issuerPath = '',
    clients: known = [],
    fetch: fetchDocument,
    host,
    port,
    ...given
  } = options;
  let settings: ProviderSettings = { ...DEFAULT_SETTINGS, ...given };
  const requests: OpenRequest[] = [];
  const faults = createFaultTable();
  const grants = createGrantTable();
  const clients = createClientTable(known, () => settings, fetchDocument ?? fetch);
  const pending = createPendingAuthorizations();

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = message.url?.split('?', 1)[0] ?? '';
    const endpoint = routeOf(path, issuerPath, settings.discovery);
    if (!endpoint || (endpoint === 'registration' && !settings.registration)) {
      return void response.writeHead(404).end();
    }
    const request = await readRequest(message, endpoint);
    requests.push(request);
    const context: Context = { issuer, settings, clients, grants, pending };
    const reply = await handleRequest(request, context, faults);
    if (reply) send(response, reply);
    else response.destroy();
  }

  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  const url = `http://${await listen(server, { ...(host && { host }), ...(port && { port }) })}`;
  const issuer = `${url}${issuerPath}`;

  return {
    url,
    issuer,
    get settings() {
      return settings;
    },
    get clients() {
      return clients.all;
    },
    grants: grants.all,
    get counts() {
      return countsOf(grants);
    },
    configure(changes) {
      settings = { ...settings, ...changes };
    },
    addClient: (client) => clients.add({ ...client, source: 'static', expiresAt: null }),
    forgetClient: (clientId) => void clients.forget(clientId),
    approve,
    issueTokens: (wish = {}) => issueByTest(wish, settings, clients, grants),
    endGrant: (id) => grants.endById(id),
    expireAccessTokens: grants.expireAccessTokens,
    fault: faults.set,
    clearFaults: faults.clear,
    requests: (endpoint) =>
      requests.filter((request) => endpoint === undefined || request.endpoint === endpoint),
    issuedSecrets: () => [...grants.issued, ...clients.secrets],
    verify: (token) => verify(token, grants),
    async close() {
      faults.clear();
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function verify(token: string, grants: GrantTable): VerifiedToken | undefined {
  const stored = grants.find(token);
  if (stored?.kind !== 'access' || !grants.isUsable(stored)) return undefined;
  const { sub, scopes, resources, expiresAt, grant } = stored;
  return { sub, scopes, resources, expiresAt, clientId: grant.clientId, grantId: grant.id };
}

function issueByTest(
  { sub, clientId, scopes, resources = [] }: IssueOptions,
  settings: ProviderSettings,
  clients: ClientTable,
  grants: GrantTable,
): IssuedByTest {
  const grant = grants.open({
    sub: sub ?? settings.users[0]?.sub ?? '',
    clientId: clientId ?? clients.all[0]?.clientId ?? '',
    scopes: scopes ?? settings.scopes,
    resources,
  });
  const wish = { scopes: grant.scopes, resources, wantsRefresh: true };
  const { accessToken, refreshToken, expiresIn } = issueTokens(grant, wish, grants, settings);
  return { accessToken, refreshToken, expiresIn, grant };
}

function countsOf({ all }: GrantTable): ProviderCounts {
  const sum = (count: (grant: (typeof all)[number]) => number) =>
    all.reduce((total, grant) => total + count(grant), 0);
  return {
    grants: all.length,
    grantsEnded: sum(({ endedBecause }) => (endedBecause === undefined ? 0 : 1)),
    refreshes: sum(({ refreshes }) => refreshes),
    reusesDetected: sum(({ reusesDetected }) => reusesDetected),
    revocations: sum(({ revocations }) => revocations),
  };
}
