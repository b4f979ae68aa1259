import type { McpEra } from '@gatehouse/harness';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { obtainTokens, REDIRECT_URI, type TestClient } from '../fixture.ts';
import { serveClientDocument } from './client-document.ts';
import { MemoryProvider } from './memory-provider.ts';
import { LOOPBACK, useSurroundings } from './surroundings.ts';

const surroundings = useSurroundings();
const document = use(() => serveClientDocument(LOOPBACK));

/** A client of `@modelcontextprotocol/client` 2.x that connects to a gateway URL. */
class Connecting {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;

  constructor(mcpUrl: string, era: McpEra, authProvider: MemoryProvider) {
    const mode = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
    this.client = new Client({ name: 'c', version: '1' }, era === 'modern' ? mode : {});
    this.transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider });
  }

  async toolNames(): Promise<string[]> {
    await this.client.connect(this.transport);
    const { tools } = await this.client.listTools();
    await this.client.close();
    return tools.map(({ name }) => name);
  }
}

/** Connects, agrees in the browser, and connects again. */
async function connect(mcpUrl: string, era: McpEra, provider: MemoryProvider): Promise<string[]> {
  const first = new Connecting(mcpUrl, era, provider);
  await expect(first.toolNames()).rejects.toThrow(UnauthorizedError);
  await first.transport.finishAuth(
    (await surroundings.agree(provider.authorizationUrl)).searchParams,
  );
  return new Connecting(mcpUrl, era, provider).toolNames();
}

function providerOf({ clientId, clientSecret }: TestClient): MemoryProvider {
  return new MemoryProvider({ clientId, clientSecret, issuer: surroundings.server.origin });
}

describe.each(['legacy', 'modern'] as const)('the official client 2.x, %s era', (era) => {
  it('needs no more than the URL, by registration', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const provider = new MemoryProvider({ registers: true });
    expect(await connect(mcpUrl, era, provider)).toContain('test_simple_text');
    expect(provider.clientInformation()?.client_id).toMatch(/^dyn_/);
    expect(provider.stored).toMatchObject({ scope: 'mcp', expires_in: 600 });
    expect(surroundings.upstream.hasReceived(String(provider.stored?.access_token))).toBe(false);
  });

  it('needs no more than the URL, by a metadata document', async () => {
    const { mcpUrl } = await surroundings.createApplication({ allowDynamicClients: true });
    const provider = new MemoryProvider({ documentUrl: document.clientId });
    expect(await connect(mcpUrl, era, provider)).toContain('test_simple_text');
    expect(provider.clientInformation()?.client_id).toBe(document.clientId);
    expect(document.fetches).toBe(1);
  });

  it.each(['public', 'confidential'] as const)('takes the id of a %s application', async (type) => {
    const application = await surroundings.createApplication({ type });
    const provider = providerOf(application);
    expect(await connect(application.mcpUrl, era, provider)).toContain('test_simple_text');
  });

  it('refreshes by itself', async () => {
    const application = await surroundings.createApplication();
    const provider = providerOf(application);
    await connect(application.mcpUrl, era, provider);
    const { stored } = provider;
    if (stored === undefined) throw new Error('It has no token.');
    provider.stored = { ...stored, access_token: 'gh_at_gone' };
    provider.authorizationUrl = undefined;
    const again = new Connecting(application.mcpUrl, era, provider);
    expect(await again.toolNames()).toContain('test_simple_text');
    expect(provider.stored?.refresh_token).not.toBe(stored.refresh_token);
    expect(provider.authorizationUrl).toBeUndefined();
  });

  it('asks for the scope that it lacks, beside those that it has', async () => {
    const { server, openBrowser, createApplication } = surroundings;
    const application = await createApplication({
      scopes: ['mcp', 'extra'],
      redirectUris: [LOOPBACK, REDIRECT_URI],
    });
    const provider = providerOf(application);
    const narrow = await obtainTokens(server, await openBrowser(), application, { scope: 'extra' });
    provider.stored = { ...narrow.body, issuer: server.origin };
    expect(await connect(application.mcpUrl, era, provider)).toContain('test_simple_text');
    expect(provider.stored?.scope?.split(' ').sort()).toEqual(['extra', 'mcp']);
  });
});
