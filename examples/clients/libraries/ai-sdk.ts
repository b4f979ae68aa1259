import { createMCPClient } from '@ai-sdk/mcp';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

const client = await createMCPClient({ transport: { type: 'http', url, headers } });

await converse({
  list: async () => {
    const tools = Object.entries(await client.tools());
    return Object.fromEntries(tools.map(([name, { description }]) => [name, String(description)]));
  },
  // With a model, give `tools` to `generateText`, which calls `execute`.
  call: async (name, args) => {
    const tools = await client.tools();
    return tools[name]?.execute(args, { toolCallId: '1', messages: [], context: {} });
  },
});
