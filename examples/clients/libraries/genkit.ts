import { createMcpClient } from '@genkit-ai/mcp';
import { genkit, setGenkitRuntimeConfig } from 'genkit';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

// Its other validator refuses the JSON Schema 2020-12 of most servers.
setGenkitRuntimeConfig({ jsonSchemaMode: 'interpret' });
const ai = genkit({});
const client = createMcpClient({
  name: 'genkit-example',
  serverName: 'gatehouse',
  mcpServer: { url, requestInit: { headers } },
});
await client.ready();

await converse({
  list: async () => {
    const tools = await client.getActiveTools(ai);
    return Object.fromEntries(
      tools.map(({ __action: { name, description } }) => [name, description]),
    );
  },
  // With a model, give the tools to `ai.generate`. Their names begin with `serverName`.
  call: async (name, args) => {
    const tools = await client.getActiveTools(ai);
    return tools.find(({ __action }) => __action.name === `gatehouse/${name}`)?.(args);
  },
});
