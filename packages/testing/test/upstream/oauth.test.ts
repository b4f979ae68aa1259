import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  auth,
  UnauthorizedError as SdkUnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as SdkTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  startIdentityProvider,
  startUpstream,
  type Upstream,
  type UpstreamOauthOptions,
} from '../../src/index.ts';
import { MemoryProvider } from './support/memory-provider.ts';

async function start(
  options: Omit<UpstreamOauthOptions, 'provider'> = {},
  providerOptions: IdentityProviderOptions = {},
): Promise<{ provider: IdentityProvider; upstream: Upstream }> {
  const provider = await startIdentityProvider({ autoApprove: true, ...providerOptions });
  const upstream = await startUpstream({ oauth: { ...options, provider } });
  onTestFinished(async () => {
    await upstream.close();
    await provider.close();
  });
  return { provider, upstream };
}

function call(url: string, token: string | undefined, tool = 'whoami'): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool } }),
  });
}

const challengeOf = (response: Response) => response.headers.get('www-authenticate');

describe('an upstream with OAuth', () => {
  it.each(['legacy', 'modern'] as const)(
    'lets the official client 2.x sign in, %s era',
    async (era) => {
      const { provider, upstream } = await start();
      const memory = new MemoryProvider();
      const connect = async () => {
        const mode = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
        const client = new Client({ name: 'c', version: '1' }, era === 'modern' ? mode : {});
        const url = new URL(upstream.url);
        const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
        return { client, transport, done: client.connect(transport) };
      };
      const first = await connect();
      await expect(first.done).rejects.toThrow(UnauthorizedError);
      const returned = await provider.approve(memory.authorizationUrl ?? '');
      await first.transport.finishAuth(returned.searchParams);

      const { client, done } = await connect();
      await done;
      const answer = await client.callTool({ name: 'whoami', arguments: {} });
      expect(answer.content).toEqual([{ type: 'text', text: 'ada' }]);
      provider.expireAccessTokens();
      await client.callTool({ name: 'whoami', arguments: {} });
      await client.close();

      expect(provider.counts).toMatchObject({ grants: 1, refreshes: 1, reusesDetected: 0 });
      expect(provider.grants[0]?.resources).toEqual([upstream.url]);
      const calls = upstream.calls.filter(({ tool }) => tool === 'whoami');
      expect(calls.map(({ sub }) => sub)).toEqual(['ada', 'ada']);
      expect(new Set(calls.map(({ tokenHash }) => tokenHash)).size).toBe(2);
    },
  );

  it('lets the official SDK 1.x sign in', async () => {
    const { provider, upstream } = await start();
    const memory = new MemoryProvider();
    const connect = async () => {
      const client = new SdkClient({ name: 'c', version: '1' });
      const transport = new SdkTransport(new URL(upstream.url), { authProvider: memory });
      await client.connect(transport);
      return client;
    };
    await expect(connect()).rejects.toThrow(SdkUnauthorizedError);
    const returned = await provider.approve(memory.authorizationUrl ?? '');
    const authorizationCode = returned.searchParams.get('code') ?? '';
    await auth(memory, { serverUrl: upstream.url, authorizationCode });
    const client = await connect();
    const { content } = await client.callTool({ name: 'whoami', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'ada' }]);
    await client.close();
  });

  it('challenges without a token, and says more when a token is not valid', async () => {
    const { provider, upstream } = await start();
    const { origin } = new URL(upstream.url);
    const rest = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="read"`;
    const bare = await call(upstream.url, undefined);
    expect([bare.status, challengeOf(bare)]).toEqual([401, `Bearer ${rest}`]);

    const { accessToken } = provider.issueTokens();
    provider.expireAccessTokens();
    const expired = await call(upstream.url, accessToken);
    expect([expired.status, challengeOf(expired)]).toEqual([
      401,
      `Bearer error="invalid_token", ${rest}`,
    ]);
    expect(upstream.calls).toEqual([]);
  });

  it('refuses a tool that needs a scope which the token lacks', async () => {
    const { provider, upstream } = await start();
    const { accessToken } = provider.issueTokens({ scopes: ['read'] });
    const refused = await call(upstream.url, accessToken, 'write_note');
    expect(refused.status).toBe(403);
    expect(challengeOf(refused)).toContain('error="insufficient_scope"');
    expect(challengeOf(refused)).toContain('scope="write"');
  });

  it('refuses a token that was issued for another resource', async () => {
    const resource = 'https://mcp.example.com/mcp';
    const { provider, upstream } = await start({ resource });
    const other = provider.issueTokens({ resources: ['https://other.example.com'] });
    expect((await call(upstream.url, other.accessToken)).status).toBe(401);
    const right = provider.issueTokens({ resources: [resource] });
    expect((await call(upstream.url, right.accessToken)).status).not.toBe(401);
  });

  it('has its metadata in the places that are wanted, and challenges with what is wanted', async () => {
    const path = '/.well-known/oauth-protected-resource';
    const { provider, upstream } = await start({ metadata: ['root'], challenge: [] });
    const root = await fetch(new URL(path, upstream.url));
    expect(await root.json()).toEqual({
      resource: upstream.url,
      authorization_servers: [provider.issuer],
      scopes_supported: ['read'],
      bearer_methods_supported: ['header'],
    });
    expect((await fetch(new URL(`${path}/mcp`, upstream.url))).status).toBe(404);
    expect(challengeOf(await call(upstream.url, undefined))).toBe('Bearer');

    const none = await start({ metadata: [], challenge: ['resource_metadata', 'scope'] });
    expect((await fetch(new URL(path, none.upstream.url))).status).toBe(404);
    expect(challengeOf(await call(none.upstream.url, undefined))).toBe('Bearer scope="read"');
  });
});
