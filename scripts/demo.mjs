// npm run demo [-- --oauth]: runs the main example in a temporary directory, or one with an OAuth provider
// to connect an account at, and leaves the servers running.
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { loadSource } from './lib/load-source.mjs';
import { onSignals } from './lib/signals.mjs';

const { values } = parseArgs({ options: { oauth: { type: 'boolean', default: false } } });

await install();
await build(['@gatehouse/server']);
const example = (name) =>
  loadSource(new URL(`../examples/src/${name}.ts`, import.meta.url).pathname);

const stopped = new AbortController();

/** Ctrl-C stops its servers and deletes their data. */
function stopOnSignals(servers) {
  onSignals(async () => {
    if (stopped.signal.aborted) process.exit(1);
    stopped.abort();
    await servers.close();
    process.exit(0);
  });
}

let step = 0;
function print(line) {
  step += 1;
  console.log(`${String(step).padStart(2)}. ${line}`);
}

async function showMainJob() {
  const { mainJob } = await example('main-job');
  const job = await mainJob(print);
  stopOnSignals(job);
  console.log(`
The result of the tool, through the gateway: ${job.result}
${waysToCall(job)}`);
}

async function showOauth() {
  const { oauthDemo } = await example('oauth-demo');
  const demo = await oauthDemo(print);
  stopOnSignals(demo);
  console.log(`
Now connect an account, in a browser:

  1. Open this, and sign in as the owner (it works once, for 15 minutes):
     ${demo.signInLink}
  2. Open this in the same browser, and press "Continue to …" (it goes on working):
     ${demo.connectUrl}
  3. At the provider choose who you are there, and press "Allow".

Waiting for you ...`);
  const user = await demo.callAfterConnecting(stopped.signal);
  console.log(`
The tool whoami, through the gateway: you are ${user} to the MCP server.
${waysToCall(demo)}`);
}

function waysToCall({ gatewayUrl, mcpToken }) {
  return `
All servers keep running. This lists the tools, and calls one with its name after the URL:

  MCP_TOKEN=${mcpToken} \\
    node examples/call.mjs ${gatewayUrl}

An MCP client needs nothing but that URL: docs/clients.

Ctrl-C stops everything and deletes the data.`;
}

try {
  await (values.oauth ? showOauth() : showMainJob());
} catch (error) {
  if (!stopped.signal.aborted) throw error;
}
