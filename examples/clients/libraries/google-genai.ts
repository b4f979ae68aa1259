import { mcpToTool } from '@google/genai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new Client({ name: 'google-genai-example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

await converse({
  list: async () => {
    const { functionDeclarations = [] } = await mcpToTool(client, {}).tool();
    return Object.fromEntries(
      functionDeclarations.map(({ name, description }) => [String(name), description]),
    );
  },
  // With a model, give `mcpToTool(client)` to `generateContent` as one of its `tools`.
  call: async (name, args) => {
    const [part] = await mcpToTool(client, {}).callTool([{ name, args }]);
    return JSON.stringify(part?.functionResponse?.response);
  },
});
