import { setTimeout as delay } from 'node:timers/promises';
import { connectMcpClient, launchGatehouse } from '@gatehouse/harness';
import { Gatehouse } from '@gatehouse/sdk';
import { startIdentityProvider, startUpstream } from '@gatehouse/testing';

/** What the demo of OAuth leaves running. */
export interface OauthDemo {
  /** Signs the owner in, once. */
  readonly signInLink: string;
  /** Where the owner connects an account. */
  readonly connectUrl: string;
  readonly gatewayUrl: string;
  /** With the scope `mcp` alone. */
  readonly mcpToken: string;
  /**
   * Waits until the owner has connected an account.
   *
   * @returns who that is to the MCP server, which the tool `whoami` says through the gateway
   */
  callAfterConnecting(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** People who can sign in at the provider, without a password. */
const users = [
  { sub: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' },
  { sub: 'grace', email: 'grace@example.com', name: 'Grace Hopper' },
];

/**
 * Everything that OAuth needs, on one machine: a provider, an MCP server that takes only its tokens, and
 * the built service, in which the MCP server is registered by its URL alone.
 *
 * @param print called with a line for each step that is done.
 */
export async function oauthDemo(print: (line: string) => void): Promise<OauthDemo> {
  const provider = await startIdentityProvider({ users });
  print(`An OAuth provider runs at ${provider.issuer}`);
  const upstream = await startUpstream({ oauth: provider });
  print(`An MCP server that takes only its tokens runs at ${upstream.url}`);
  const server = await launchGatehouse();
  print(`Gatehouse runs at ${server.origin}, its data is in ${server.dataDir}`);

  const gatehouse = new Gatehouse({ baseUrl: server.baseUrl, accessToken: server.bootstrapToken });
  const { integration } = await gatehouse.integrations.create({
    name: 'Notes',
    url: upstream.url,
    authMode: 'oauth',
  });
  const { status, message } = await gatehouse.integrations.validate(integration.id);
  print(`Registered the integration "Notes" by its URL, and validated it: ${status}. ${message}`);

  const { application } = await gatehouse.applications.create({
    name: 'Demo assistant',
    oauth: {
      type: 'public',
      redirectUris: ['http://127.0.0.1/callback'],
      allowDynamicClients: true,
    },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  print(`Created the application "${application.name}" and attached the integration`);
  const { secret: mcpToken } = await gatehouse.tokens.create({ name: 'Demo', scopes: ['mcp'] });
  const gatewayUrl = `${server.origin}/mcp/${application.id}/${integration.id}`;

  async function isConnected(): Promise<boolean> {
    const { integration: present } = await gatehouse.integrations.get(integration.id);
    return present.userConnection?.connected === true;
  }

  return {
    signInLink: await server.signInLink('owner@localhost'),
    connectUrl: `${server.origin}/connect?integration=${integration.id}`,
    gatewayUrl,
    mcpToken,
    async callAfterConnecting(signal) {
      while (!(await isConnected())) await delay(500, undefined, { signal });
      const client = await connectMcpClient({ url: gatewayUrl, era: 'modern', bearer: mcpToken });
      const result = await client.callTool('whoami');
      await client.close();
      return result;
    },
    async close() {
      await server.dispose();
      await Promise.all([upstream.close(), provider.close()]);
    },
  };
}
