// biome-ignore-all lint/suspicious/noConsole: the example shows its results.
// Compiled and run by the tests. The README shows this region.
//#region quick-start
import { Gatehouse } from '@gatehouse/sdk';

// Reads GATEHOUSE_BASE_URL and GATEHOUSE_ACCESS_TOKEN; both can be given as options too.
const gatehouse = new Gatehouse();

const { integration } = await gatehouse.integrations.create({
  name: 'Issue tracker',
  url: 'https://mcp.example.com/mcp',
});

for await (const { name, validationStatus } of gatehouse.integrations.list()) {
  console.log(name, validationStatus);
}

const { application } = await gatehouse.applications.create({
  name: 'Support assistant',
  oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
});

await gatehouse.applications.integrations.attach(application.id, integration.id);
console.log('MCP clients connect to', application.mcpUrlTemplate);
//#endregion
