import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new MultiServerMCPClient({ mcpServers: { gatehouse: { url, headers } } });

await converse({
  list: async () => {
    const tools = await client.getTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  // With a model, give the tools to `createAgent`, which calls `invoke`.
  call: async (name, args) => {
    const tools = await client.getTools();
    return tools.find((tool) => tool.name === name)?.invoke(args);
  },
});
