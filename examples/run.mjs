// node examples/run.mjs <story>: tells one story on a throw-away Gatehouse with a real MCP server.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/lib/build.mjs';
import { install } from '../scripts/lib/install.mjs';
import { loadSource } from '../scripts/lib/load-source.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const NO_STORIES = ['surroundings', 'main-job', 'testing-against-mocks'];
const stories = readdirSync(at('src'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => !NO_STORIES.includes(name));

const [story] = process.argv.slice(2);
if (!stories.includes(story)) {
  console.error(`Usage: node examples/run.mjs ${stories.join(' | ')}`);
  process.exit(1);
}

await install();
await build(['@gatehouse/server']);
const { launchGatehouse, startUpstream } = await loadSource(at('../packages/testing/src/index.ts'));
const { main } = await loadSource(at(`src/${story}.ts`));

const mcpToken = 'token-that-the-mcp-server-wants';
const upstream = await startUpstream({ requireBearer: mcpToken });
const { baseUrl, bootstrapToken: accessToken, dispose } = await launchGatehouse();
try {
  await main({ baseUrl, accessToken, mcpUrl: upstream.url, mcpToken }, console.log);
} finally {
  await dispose();
  await upstream.close();
}
