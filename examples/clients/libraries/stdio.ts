import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

/** Programs that make a local server of a URL, for clients that know no URLs. */
const BRIDGES: Readonly<Record<string, string[]>> = {
  'mcp-remote': [url, '--header', `Authorization:${headers.Authorization}`],
  supergateway: ['--streamableHttp', url, '--header', `Authorization: ${headers.Authorization}`],
};

/** `node stdio.ts mcp-remote` or `node stdio.ts supergateway`. */
const [bridge = 'mcp-remote'] = process.argv.slice(2);
const client = new Client({ name: 'stdio-example', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: 'npx', args: [bridge, ...(BRIDGES[bridge] ?? [])] }),
);

await converse({
  list: async () => {
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  call: async (name, args) => (await client.callTool({ name, arguments: args })).content,
});
