// node examples/run.mjs <example>: runs one example with a temporary Gatehouse and a real MCP server.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/lib/build.mjs';
import { install } from '../scripts/lib/install.mjs';
import { loadSource } from '../scripts/lib/load-source.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Files that this script cannot run. */
const OTHERS = ['environment', 'main-job', 'oauth-demo', 'testing-against-mocks'];
const examples = readdirSync(at('src'))
  .map((file) => file.replace('.ts', ''))
  .filter((name) => !OTHERS.includes(name));

const [example] = process.argv.slice(2);
if (!examples.includes(example)) {
  console.error(`Usage: node examples/run.mjs ${examples.join(' | ')}`);
  process.exit(1);
}

await install();
await build(['@gatehouse/server']);
const { launchGatehouse } = await loadSource(at('../packages/harness/src/index.ts'));
const { startUpstream } = await loadSource(at('../packages/testing/src/index.ts'));
const { main } = await loadSource(at(`src/${example}.ts`));

const mcpToken = 'token-that-the-mcp-server-requires';
const upstream = await startUpstream({ requireBearer: mcpToken });
const server = await launchGatehouse();
const { baseUrl, bootstrapToken: accessToken } = server;

/** You are the person. */
async function openBrowser(url) {
  console.log(
    `Open this in a browser and sign in:\n  ${await server.signInLink('owner@localhost')}`,
  );
  console.log(`Then, in the same browser, open:\n  ${url}`);
}

try {
  await main({ baseUrl, accessToken, mcpUrl: upstream.url, mcpToken, openBrowser }, console.log);
} finally {
  await server.dispose();
  await upstream.close();
}
