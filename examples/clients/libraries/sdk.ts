import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new Client({ name: 'sdk-example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

await converse({
  list: async () => {
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  call: async (name, args) => (await client.callTool({ name, arguments: args })).content,
});
