import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  hintOf,
  REDIRECT_URI,
  type StageCode,
  stageFailure,
  type ValidationStageName,
  validationStageNameSchema,
} from '@gatehouse/contract';
import { findFreePort } from '@gatehouse/harness';
import {
  type IdentityProviderOptions,
  type ProviderFault,
  startIdentityProvider,
  startUpstream,
  type UpstreamOauthOptions,
} from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import type { CredentialOutcome, UnusableCredential } from '../../../src/credentials/outcome.ts';
import { startNameServer } from '../../egress/name-server.ts';
import {
  CONNECTION,
  closeAfter,
  INITIALIZED,
  legacy,
  NONE,
  NOT_CONNECTED,
  probe,
  readFixture,
  reference,
  SECRET,
  SERVER_TOKEN,
  scripted,
  startTls,
  trustAuthority,
} from './support.ts';

type Options = NonNullable<Parameters<typeof probe>[2]>;
interface Trouble extends Options {
  readonly url: string;
  /** Default: the server token. */
  readonly outcome?: CredentialOutcome;
}
type Case = readonly [
  what: string,
  stage: ValidationStageName,
  code: StageCode,
  start: () => Promise<Trouble>,
];

const SHORT = {
  ...{
    credential: 2_000,
    discover: 1_500,
    oldTransport: 1_000,
    probe: 3_000,
    endSession: 500,
  },
} as const;
const OPEN_OAUTH = { scopes: [] };
const PUBLIC_URL = 'https://gatehouse.example.com';

/** @param deadline of the look-up, in milliseconds; so long that only a silent name server meets it */
const atUnknownName = async (
  answer: Parameters<typeof startNameServer>[0],
  deadline = 30_000,
): Promise<Trouble> => {
  const { address } = await startNameServer(answer);
  const names = { servers: [address], deadline };
  return { url: 'https://mcp.example/mcp', egress: { names } };
};
const responding = async (response: {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}): Promise<Trouble> => ({ url: (await scripted(({ respond }) => respond(response))).url });
const overTls = async (certificate: string): Promise<Trouble> => {
  trustAuthority();
  return { url: `https://localhost:${await startTls(certificate)}/mcp` };
};

/** An upstream with an authorization server that a person is about to connect to. */
async function withOauth({
  provider: providerOptions,
  upstream,
  fault,
}: {
  readonly provider?: IdentityProviderOptions;
  readonly upstream?: Partial<UpstreamOauthOptions>;
  readonly fault?: ProviderFault;
} = {}): Promise<Trouble> {
  const provider = await startIdentityProvider(providerOptions);
  closeAfter(provider.close);
  if (fault !== undefined) provider.fault('metadata', fault);
  const { url, close } = await startUpstream({ oauth: { provider, ...upstream } });
  closeAfter(close);
  return { url, outcome: NOT_CONNECTED, oauth: OPEN_OAUTH };
}

/** An upstream that publishes whatever document about itself. */
async function publishing(document: (origin: string) => unknown): Promise<Trouble> {
  const { url } = await scripted(({ request, respond }) => {
    const isMetadata = request.target.startsWith('/.well-known/oauth-protected-resource');
    if (isMetadata) return respond({ body: document(new URL(url).origin) });
    respond({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
  });
  return { url, outcome: NOT_CONNECTED, oauth: OPEN_OAUTH };
}

const CASES: readonly Case[] = [
  ['the name does not exist', 'address', 'name_not_found', () => atUnknownName(() => ({}))],
  [
    'the name server fails',
    'address',
    'name_server_failed',
    () => atUnknownName(() => ({ code: 2 })),
  ],
  [
    'the name server is silent',
    'address',
    'name_server_silent',
    () => atUnknownName(() => undefined, 500),
  ],
  [
    'the address is private',
    'address',
    'address_not_allowed',
    async () => ({ url: (await reference({})).url, egress: { allowedNetworks: [] } }),
  ],
  [
    'a credential would go over plain http',
    'address',
    'plain_http_with_credentials',
    async () => ({ url: 'http://8.8.8.8/mcp' }),
  ],
  [
    'nothing listens on the port',
    'address',
    'refused',
    async () => ({ url: `https://127.0.0.1:${await findFreePort()}/mcp` }),
  ],
  ['the certificate has expired', 'tls', 'certificate_expired', () => overTls('expired')],
  ['the certificate is for another name', 'tls', 'certificate_name', () => overTls('other-name')],
  [
    'the certificate is trusted by nobody',
    'tls',
    'certificate_untrusted',
    async () => ({ url: `https://localhost:${await startTls()}/mcp` }),
  ],
  [
    'the server speaks no TLS',
    'tls',
    'handshake',
    async () => ({ url: (await reference({})).url.replace('http:', 'https:') }),
  ],
  [
    'the TLS handshake is never answered',
    'tls',
    'timed_out',
    async () => ({ url: `https://127.0.0.1:${await startRaw()}/mcp`, timeouts: SHORT }),
  ],
  [
    'no response ever comes',
    'http',
    'timed_out',
    async () => ({ url: `http://127.0.0.1:${await startRaw()}/mcp`, timeouts: SHORT }),
  ],
  [
    'the connection is closed without a response',
    'http',
    'connection_lost',
    async () => ({ url: (await scripted(({ drop }) => drop())).url }),
  ],
  [
    'the response is not HTTP',
    'http',
    'response_invalid',
    async () => ({ url: `http://127.0.0.1:${await startRaw('SSH-2.0-x\r\n')}/mcp` }),
  ],
  [
    'the server redirects',
    'http',
    'redirected',
    () => responding({ status: 307, headers: { Location: 'https://elsewhere.example/' } }),
  ],
  ['the path is wrong', 'http', 'not_found', () => responding({ status: 404 })],
  ['there are too many requests', 'http', 'rate_limited', () => responding({ status: 429 })],
  ['the server fails', 'http', 'server_error', () => responding({ status: 500, body: SECRET })],
  ['the server has a page there', 'mcp', 'not_mcp', () => responding({ body: '<h1>Hello</h1>' })],
  [
    'the server speaks another JSON-RPC',
    'mcp',
    'not_mcp',
    () => responding({ body: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: '' } } }),
  ],
  [
    'the server speaks the old transport',
    'mcp',
    'old_transport',
    async () => {
      const { url } = await scripted(async ({ request, respond, startSse, sendEvent }) => {
        if (request.method !== 'GET') return respond({ status: 405 });
        startSse();
        await sendEvent({ event: 'endpoint', data: '/messages' });
      });
      return { url };
    },
  ],
  [
    'a refusal has no challenge',
    'challenge',
    'challenge_missing',
    async () => ({ ...(await responding({ status: 401 })), outcome: NOT_CONNECTED }),
  ],
  [
    'no metadata is published',
    'discovery',
    'metadata_not_found',
    async () => ({
      url: (
        await scripted(({ request, respond }) =>
          request.method === 'POST'
            ? respond({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
            : respond({ status: 404 }),
        )
      ).url,
      outcome: NOT_CONNECTED,
      oauth: OPEN_OAUTH,
    }),
  ],
  [
    'the metadata of the resource is invalid',
    'discovery',
    'metadata_invalid',
    () => publishing(() => ({ resource: 7 })),
  ],
  [
    'the metadata of the authorization server is invalid',
    'discovery',
    'metadata_invalid',
    () =>
      withOauth({
        fault: { kind: 'edit', edit: (body) => ({ ...body, token_endpoint: 'nowhere' }) },
      }),
  ],
  [
    'the authorization server has another issuer',
    'discovery',
    'issuer_mismatch',
    () => withOauth({ fault: { kind: 'wrong-issuer' } }),
  ],
  [
    'the configured issuer is not the one that is named',
    'discovery',
    'issuer_mismatch',
    async () => ({
      ...(await withOauth()),
      oauth: { issuer: 'https://issuer.example', scopes: [] },
    }),
  ],
  [
    'the metadata is about another resource',
    'discovery',
    'resource_mismatch',
    () => withOauth({ upstream: { resource: 'https://mcp.example/other' } }),
  ],
  [
    'the authorization server promises no PKCE',
    'discovery',
    'pkce_not_supported',
    () => withOauth({ provider: { pkce: false } }),
  ],
  [
    'the authorization server leads to a plain address',
    'discovery',
    'insecure_endpoint',
    () => withOauth({ fault: { kind: 'private-addresses' } }),
  ],
  [
    'the authorization server is at a private address',
    'discovery',
    'address_not_allowed',
    () =>
      publishing((origin) => ({
        resource: `${origin}/mcp`,
        authorization_servers: ['https://10.0.0.1'],
      })),
  ],
  [
    'the authorization server cannot be reached',
    'discovery',
    'unreachable',
    async () => {
      const port = await findFreePort();
      return publishing((origin) => ({
        resource: `${origin}/mcp`,
        authorization_servers: [`http://127.0.0.1:${port}`],
      }));
    },
  ],
  [
    'the authorization server fails',
    'discovery',
    'server_error',
    () => withOauth({ fault: { kind: 'status', status: 503 } }),
  ],
  [
    'the authorization server takes no more requests',
    'discovery',
    'rate_limited',
    () => withOauth({ fault: { kind: 'status', status: 429 } }),
  ],
  [
    'the authorization server is silent',
    'discovery',
    'timed_out',
    async () => ({
      ...(await withOauth({ fault: { kind: 'slow', milliseconds: 4_000 } })),
      timeouts: SHORT,
    }),
  ],
  [
    'nobody can register',
    'registration',
    'no_client',
    () => withOauth({ provider: { registration: false, clientIdMetadata: false } }),
  ],
  [
    'the server refuses the credential',
    'credential',
    'credential_rejected',
    async () => ({ url: (await reference({ requireBearer: 'another' })).url }),
  ],
  [
    'the server refuses what the credential may do',
    'credential',
    'permission_denied',
    () => responding({ status: 403 }),
  ],
  [
    'the server asks for a credential in the mode `none`',
    'credential',
    'credential_required',
    async () => ({ url: (await reference({ requireBearer: SECRET })).url, outcome: NONE }),
  ],
  [
    'the server greets anyone and guards its tools',
    'credential',
    'credential_rejected',
    async () => ({ url: (await reference({}, 'legacy', 'tools/list')).url }),
  ],
  [
    'the server does not list its tools',
    'tools',
    'tools_refused',
    async () => ({
      url: (await scripted(legacy({ onList: ({ respond }) => respond({ status: 500 }) }))).url,
    }),
  ],
  [
    'the list of tools never comes',
    'tools',
    'timed_out',
    async () => ({
      url: (await scripted(legacy({ onList: () => undefined }))).url,
      timeouts: SHORT,
    }),
  ],
];

const UNUSABLE: readonly UnusableCredential[] = [
  { kind: 'needs_user', reason: 'needs_reauth' },
  { kind: 'needs_user', reason: 'expired' },
  { kind: 'unavailable', reason: 'server_token_missing' },
  { kind: 'unavailable', reason: 'server_token_misfit' },
  { kind: 'unavailable', reason: 'oauth_not_configured' },
  { kind: 'unavailable', reason: 'client_rejected' },
  { kind: 'unavailable', reason: 'refresh_failed' },
  { kind: 'unavailable', reason: 'key_not_loaded' },
  { kind: 'unavailable', reason: 'decryption_failed' },
];

/** What became of each stage, in the order of the answer. */
const shown = ({ stages }: Awaited<ReturnType<typeof probe>>) =>
  stages.map(({ stage, status, code }) => [stage, status, ...(code ? [code] : [])].join(' '));

describe('the stages of a validation', () => {
  it.each(CASES)('name the failure when %s', async (_, stage, code, start) => {
    const { url, outcome = SERVER_TOKEN, ...options } = await start();
    const answer = await probe(url, outcome, options);
    expect(answer.stages.map((each) => each.stage)).toEqual(validationStageNameSchema.options);
    const failed = answer.stages.filter(({ status }) => status === 'failed');
    expect(failed, shown(answer).join(', ')).toEqual([
      {
        ...{ stage, status: 'failed', code, milliseconds: expect.any(Number) },
        hint: hintAt(stage, code)?.replace(
          REDIRECT_URI,
          `${PUBLIC_URL}/oauth/callback/integration`,
        ),
      },
    ]);
    expect(failed[0]?.hint).toMatch(/^[A-Z].*\.$/);
    for (const { status, milliseconds } of answer.stages) {
      expect(Number.isInteger(milliseconds)).toBe(true);
      if (status === 'skipped') expect(milliseconds).toBe(0);
    }
  });

  it.each(UNUSABLE)('say what to do about a credential: $reason', async (outcome) => {
    const { url } = await reference({});
    const { stages } = await probe(url, outcome);
    expect(stages.find(({ stage }) => stage === 'credential')).toMatchObject({
      ...{ status: 'failed', code: outcome.reason },
      hint: hintAt('credential', outcome.reason),
    });
  });

  it('say until when the certificate of the server is good', async () => {
    const { url } = await overTls('trusted');
    const { stages } = await probe(url, SERVER_TOKEN);
    const { validTo } = new X509Certificate(readFixture('trusted.cert'));
    expect(stages.filter((each) => each.certificateExpiresAt !== undefined)).toEqual([
      {
        ...{ stage: 'tls', status: 'passed', milliseconds: expect.any(Number) },
        certificateExpiresAt: new Date(validTo).toISOString(),
      },
    ]);
  });

  it('do not fail where a server works', async () => {
    expect(
      shown(await probe((await reference({ requireBearer: SECRET })).url, SERVER_TOKEN)),
    ).toEqual([
      'address passed',
      'tls skipped not_needed',
      'http passed',
      'mcp passed',
      'challenge skipped not_needed',
      'discovery skipped not_needed',
      'registration skipped not_needed',
      'credential passed',
      'tools passed',
    ]);
  });

  it('show how connecting would work, and register no client', async () => {
    const { url, outcome = NONE, ...options } = await withOauth();
    const answer = await probe(url, outcome, options);
    expect(answer.status).toBe('pending');
    expect(shown(answer)).toEqual([
      'address passed',
      'tls skipped not_needed',
      'http passed',
      'mcp skipped not_reached',
      'challenge passed',
      'discovery passed',
      'registration passed',
      'credential skipped connection_required',
      'tools skipped not_reached',
    ]);
  });

  it('are not reached after one that failed', async () => {
    const url = `https://127.0.0.1:${await findFreePort()}/mcp`;
    const answer = await probe(url, NOT_CONNECTED, { oauth: OPEN_OAUTH });
    expect(shown(answer)).toEqual([
      'address failed refused',
      ...validationStageNameSchema.options.slice(1).map((name) => `${name} skipped not_reached`),
    ]);
  });

  it('say nothing of registration while no authorization server is found', async () => {
    const {
      url,
      outcome = NONE,
      ...options
    } = await withOauth({ fault: { kind: 'wrong-issuer' } });
    const answer = shown(await probe(url, outcome, options));
    expect(answer).toContain('discovery failed issuer_mismatch');
    expect(answer).toContain('registration skipped not_reached');
  });

  it('pass TLS with a trusted certificate', async () => {
    const { url } = await overTls('trusted');
    expect(shown(await probe(url, SERVER_TOKEN)).slice(0, 3)).toEqual([
      'address passed',
      'tls passed',
      'http failed not_found',
    ]);
  });

  it('say that there are no tools', async () => {
    const initialize = async ({ respondResult }: { respondResult(result: unknown): void }) =>
      respondResult({ ...INITIALIZED, capabilities: {} });
    const { url } = await scripted(legacy({ initialize }));
    expect(shown(await probe(url, NONE)).at(-1)).toBe('tools skipped no_tools');
  });

  it('measure what took long', async () => {
    const { url } = await scripted(
      legacy({
        onList: ({ respondResult }) => void setTimeout(() => respondResult({ tools: [] }), 1_000),
      }),
    );
    const { stages } = await probe(url, SERVER_TOKEN);
    expect(stages.at(-1)?.milliseconds).toBeGreaterThan(900);
  });
});

describe('a connection that the server rejects', () => {
  it('is renewed and tried once more', async () => {
    const { url } = await reference({ requireBearer: 'renewed' });
    const renewed: CredentialOutcome = {
      kind: 'ready',
      headers: [['authorization', 'Bearer renewed']],
      source: 'connection',
      connectionId: 'connection-1',
    };
    const reports: string[] = [];
    const answer = await probe(url, CONNECTION, { renewed, reports });
    expect(answer).toMatchObject({ status: 'valid' });
    expect(reports).toEqual(['accepted connection-1']);
  });

  it('is kept as it is where only a permission is missing', async () => {
    const { url } = await responding({ status: 403 });
    const reports: string[] = [];
    const answer = await probe(url, CONNECTION, { reports });
    expect(shown(answer)).toContain('credential failed permission_denied');
    expect(reports).toEqual([]);
  });

  it('says so where its provider has ended it', async () => {
    const { url } = await reference({ requireBearer: 'renewed' });
    const renewed: CredentialOutcome = { kind: 'needs_user', reason: 'needs_reauth' };
    const reports: string[] = [];
    const answer = await probe(url, CONNECTION, { renewed, reports });
    expect(shown(answer)).toContain('credential failed needs_reauth');
    expect(reports).toEqual([]);
  });
});

it('names the field to set where nobody can connect', async () => {
  const {
    url,
    outcome = NONE,
    ...options
  } = await withOauth({
    provider: { registration: false, clientIdMetadata: false },
  });
  expect(await probe(url, outcome, options)).toMatchObject({
    status: 'pending',
    message: expect.stringContaining('set clientId'),
  });
});

function hintAt(stage: ValidationStageName, code: StageCode): string | undefined {
  const failure = stageFailure(stage, code);
  return failure && hintOf(failure);
}

/** A server of no protocol, which says something or nothing; its port. */
async function startRaw(greeting?: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
    if (greeting !== undefined) socket.end(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfter(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
