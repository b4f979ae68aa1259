import { connectMcpClient, launchGatehouse } from '@gatehouse/harness';
import { Gatehouse } from '@gatehouse/sdk';
import { startUpstream } from '@gatehouse/testing';

/** What the main job leaves running. */
export interface MainJob {
  readonly gatewayUrl: string;
  /** With the scope `mcp` alone. */
  readonly mcpToken: string;
  /** What the tool returned, through the gateway. */
  readonly result: string;
  close(): Promise<void>;
}

/**
 * Everything a user does, from the first start to a tool call: with a real MCP server that requires a
 * bearer token, the built service in a temporary directory, the SDK, and the official MCP client.
 *
 * @param print called with a line for each step that is done.
 */
export async function mainJob(print: (line: string) => void): Promise<MainJob> {
  const upstreamToken = 'upstream-token-of-the-organization';
  const upstream = await startUpstream({ requireBearer: upstreamToken });
  print(`An MCP server that requires a bearer token runs at ${upstream.url}`);
  const server = await launchGatehouse();
  print(`Gatehouse runs at ${server.origin}, its data is in ${server.dataDir}`);

  const accessToken = server.bootstrapToken;
  const gatehouse = new Gatehouse({ baseUrl: server.baseUrl, accessToken });
  const { user } = await gatehouse.me();
  print(`Signed in as ${user.name} (${user.role})`);

  const { integration } = await gatehouse.integrations.create({
    name: 'Reference server',
    url: upstream.url,
    authMode: 'server_token',
    serverToken: upstreamToken,
  });
  print(`Registered the integration "${integration.name}" with the organization's server token`);

  const { status, message } = await gatehouse.integrations.validate(integration.id);
  print(`Validated it: ${status}. ${message}`);

  const { application } = await gatehouse.applications.create({
    name: 'Demo assistant',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  print(`Created the application "${application.name}" and attached the integration`);

  const { secret: mcpToken } = await gatehouse.tokens.create({
    name: 'Demo assistant',
    scopes: ['mcp'],
  });
  print('Made a token for the MCP client, which can use the gateway and nothing else');

  const gatewayUrl = `${server.origin}/mcp/${application.id}/${integration.id}`;
  const client = await connectMcpClient({ url: gatewayUrl, era: 'modern', bearer: mcpToken });
  const tools = await client.listTools();
  print(`Connected through the gateway; the server offers ${tools.length} tools`);
  const result = await client.callTool('add', { a: 20, b: 22 });
  print(`Called add(20, 22) through the gateway: ${result}`);
  await client.close();

  return {
    gatewayUrl,
    mcpToken,
    result,
    async close() {
      await server.dispose();
      await upstream.close();
    },
  };
}
