import { McpClient } from '@strands-agents/sdk';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = new McpClient({ url, headers });

await converse({
  list: async () => {
    const tools = await client.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  // With a model, give the client to an `Agent` as one of its `tools`.
  call: async (name, args) => {
    const tool = (await client.listTools()).find((listed) => listed.name === name);
    return tool && JSON.stringify(await client.callTool(tool, args));
  },
});
