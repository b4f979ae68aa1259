import { noopObserve } from '@mastra/core/tools';
import { MCPClient } from '@mastra/mcp';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new MCPClient({
  servers: { gatehouse: { url: new URL(url), requestInit: { headers } } },
});

await converse({
  list: async () => {
    const tools = Object.entries(await client.listTools());
    return Object.fromEntries(tools.map(([name, { description }]) => [name, description]));
  },
  // With a model, give the tools to an `Agent`, which calls `execute`. Their names begin with the server's.
  call: async (name, args) => {
    const tools = await client.listTools();
    return tools[`gatehouse_${name}`]?.execute?.(args, { observe: noopObserve });
  },
});
