import { MCPServerStreamableHttp } from '@openai/agents';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const server = new MCPServerStreamableHttp({ url, requestInit: { headers } });
await server.connect();

await converse({
  list: async () => {
    const tools = await server.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  // With a model, give the server to an `Agent` as one of its `mcpServers`.
  call: (name, args) => server.callTool(name, args),
});
