import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { createRecordingFetch, type RecordingFetch } from './recording-fetch.ts';

/** `legacy` begins with `initialize` (2025-11-25); `modern` is pinned to 2026-07-28. */
export type McpEra = 'legacy' | 'modern';

/** Options of {@link connectMcpClient}. */
export interface McpClientOptions {
  readonly url: string;
  readonly era: McpEra;
  /** Sent as `Authorization: Bearer` on every request. */
  readonly bearer?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: empty. Set their handlers on {@link ConnectedMcpClient.client}. */
  readonly capabilities?: NonNullable<ClientOptions['capabilities']>;
}

/** A connected client and everything it received. */
export interface ConnectedMcpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly received: RecordingFetch;
  /** Names of the tools, in the server's order. */
  listTools(): Promise<string[]>;
  /** The text blocks of the tool's result, joined by line feeds. Throws if the tool failed. */
  callTool(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Closes the client. In the legacy era, ends the session with DELETE first. */
  close(): Promise<void>;
}

/** Connects the official client. Throws what its `connect` throws, for example after a 401. */
export async function connectMcpClient(options: McpClientOptions): Promise<ConnectedMcpClient> {
  const { url, era, bearer, headers = {}, capabilities = {} } = options;
  const received = createRecordingFetch();
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    {
      capabilities,
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  const authorization = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: received.fetch,
    requestInit: { headers: { ...authorization, ...headers } },
  });
  await client.connect(transport);
  return {
    client,
    transport,
    received,
    async listTools() {
      const { tools } = await client.listTools();
      return tools.map((tool) => tool.name);
    },
    callTool: (name, args = {}) => callTool(client, name, args),
    async close() {
      if (era === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (isError) throw new Error(`The tool ${name} failed: ${text}`);
  return text;
}
