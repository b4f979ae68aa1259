// npm run demo: runs the main example in a temporary directory and leaves both servers running.
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { loadSource } from './lib/load-source.mjs';
import { onSignals } from './lib/signals.mjs';

await install();
await build(['@gatehouse/server']);
const { mainJob } = await loadSource(
  new URL('../examples/src/main-job.ts', import.meta.url).pathname,
);

let step = 0;
const job = await mainJob((line) => {
  step += 1;
  console.log(`${String(step).padStart(2)}. ${line}`);
});

console.log(`
The result of the tool, through the gateway: ${job.result}

Both servers keep running. Try:

  curl -sN ${job.gatewayUrl} \\
    -H 'Authorization: Bearer ${job.mcpToken}' \\
    -H 'Accept: application/json, text/event-stream' -H 'Content-Type: application/json' \\
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'

  npx --yes @modelcontextprotocol/inspector@2.12.0 --cli ${job.gatewayUrl} --transport http \\
    --header 'Authorization: Bearer ${job.mcpToken}' --method tools/list     (needs Node 22 or later)

Ctrl-C stops both and deletes their data.`);

let isEnding = false;
onSignals(async () => {
  if (isEnding) process.exit(1);
  isEnding = true;
  await job.close();
  process.exit(0);
});
