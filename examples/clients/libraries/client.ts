import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { converse } from './conversation.ts';
import { headers, url } from './environment.ts';

/** `node client.ts`, `node client.ts auto` or `node client.ts 2026-07-28`. */
const [version = 'legacy'] = process.argv.slice(2);
const mode: VersionNegotiationOptions['mode'] =
  version === 'legacy' || version === 'auto' ? version : { pin: version };

const client = new Client(
  { name: 'client-example', version: '1.0.0' },
  { versionNegotiation: { mode } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

await converse({
  list: async () => {
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
  },
  call: async (name, args) => (await client.callTool({ name, arguments: args })).content,
});
