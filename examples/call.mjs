// MCP_TOKEN=… node examples/call.mjs <url> [<tool> [<argument>=<value> …]]: calls a tool at a gateway URL with
// the official MCP client, and prints what it returns. Without a tool it lists them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, name, ...given] = process.argv.slice(2);
const token = process.env.MCP_TOKEN;
if (url === undefined || token === undefined) {
  console.error('Usage: MCP_TOKEN=… node examples/call.mjs <url> [<tool> [<argument>=<value> …]]');
  process.exit(1);
}

/** A number, true, an object, … if it is JSON, otherwise the text itself. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const args = given.map((pair) => {
  const [key, ...rest] = pair.split('=');
  return [key, parsed(rest.join('='))];
});

const client = new Client({ name: 'call', version: '1.0.0' });
try {
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  if (name === undefined) {
    const { tools } = await client.listTools();
    for (const tool of tools) console.log(`${tool.name}: ${tool.description ?? ''}`);
  } else {
    const { content, isError } = await client.callTool({
      name,
      arguments: Object.fromEntries(args),
    });
    for (const block of content) console.log(block.type === 'text' ? block.text : block.type);
    if (isError) process.exitCode = 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.close();
}
