import { MCPClient } from 'mcp-use';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new MCPClient({ mcpServers: { gatehouse: { url, headers } } });
const session = await client.createSession('gatehouse');

await converse({
  list: async () => {
    const tools = await session.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  // With a model, give the client to an `MCPAgent`.
  call: async (name, args) => (await session.callTool(name, args)).content,
});
