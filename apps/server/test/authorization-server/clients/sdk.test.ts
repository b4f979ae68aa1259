import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { obtainTokens, REDIRECT_URI, type TestClient } from '../fixture.ts';
import { serveClientDocument } from './client-document.ts';
import { MemoryProvider } from './memory-provider.ts';
import { LOOPBACK, useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();
const document = use(() => serveClientDocument(LOOPBACK));

async function toolNames(mcpUrl: string, authProvider: MemoryProvider): Promise<string[]> {
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

/** Connects, agrees in the browser, and connects again. */
async function connect(mcpUrl: string, provider: MemoryProvider): Promise<string[]> {
  await expect(toolNames(mcpUrl, provider)).rejects.toThrow(UnauthorizedError);
  const { searchParams } = await surroundings.agree(provider.authorizationUrl);
  const authorizationCode = searchParams.get('code') ?? '';
  expect(await auth(provider, { serverUrl: mcpUrl, authorizationCode })).toBe('AUTHORIZED');
  return toolNames(mcpUrl, provider);
}

function providerOf({ clientId, clientSecret }: TestClient): MemoryProvider {
  return new MemoryProvider({ clientId, clientSecret, issuer: surroundings.server.origin });
}

describe('the official SDK 1.x', () => {
  it('needs no more than the URL, by registration', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const provider = new MemoryProvider({ registers: true });
    expect(await connect(mcpUrl, provider)).toContain('test_simple_text');
    expect(provider.clientInformation()?.client_id).toMatch(/^dyn_/);
  });

  it('needs no more than the URL, by a metadata document', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const provider = new MemoryProvider({ documentUrl: document.clientId });
    expect(await connect(mcpUrl, provider)).toContain('test_simple_text');
    expect(provider.clientInformation()?.client_id).toBe(document.clientId);
  });

  it.each(['public', 'confidential'] as const)('takes the id of a %s application', async (type) => {
    const application = await surroundings.createApplication({ type });
    expect(await connect(application.mcpUrl, providerOf(application))).toContain(
      'test_simple_text',
    );
  });

  it('refreshes by itself', async () => {
    const application = await surroundings.createApplication();
    const provider = providerOf(application);
    await connect(application.mcpUrl, provider);
    const { stored } = provider;
    if (stored === undefined) throw new Error('It has no token.');
    provider.stored = { ...stored, access_token: 'gh_at_gone' };
    provider.authorizationUrl = undefined;
    expect(await toolNames(application.mcpUrl, provider)).toContain('test_simple_text');
    expect(provider.stored?.refresh_token).not.toBe(stored.refresh_token);
    expect(provider.authorizationUrl).toBeUndefined();
  });

  it('asks for the scope that it lacks', async () => {
    const { server, openBrowser, createApplication } = surroundings;
    const application = await createApplication({
      scopes: ['mcp', 'extra'],
      redirectUris: [LOOPBACK, REDIRECT_URI],
    });
    const provider = providerOf(application);
    const narrow = await obtainTokens(server, await openBrowser(), application, { scope: 'extra' });
    // With a refresh token it only refreshes, and gives up: a refresh widens nothing (RFC 6749 section 6).
    provider.stored = { ...narrow.body, issuer: server.origin, refresh_token: undefined };
    expect(await connect(application.mcpUrl, provider)).toContain('test_simple_text');
    expect(provider.stored?.scope).toContain('mcp');
  });
});
