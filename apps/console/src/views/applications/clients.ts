import { type JsonObject, slugOf } from '@gatehouse/contract';

/** A call that works as it stands. */
export interface SampleCall {
  /** Of the tool, as the URL has it. */
  readonly name: string;
  readonly args: JsonObject;
}

/** What a snippet is made of. */
export interface Target {
  /** A name for the entry in the client's own list. */
  readonly key: string;
  readonly url: string;
  /** For an application that takes no dynamic clients. */
  readonly clientId: string | undefined;
  /** What a program calls; undefined where no tool is known that takes sample arguments. */
  readonly call?: SampleCall | undefined;
}

export interface McpClient {
  readonly id: string;
  readonly name: string;
  /** What to do with the snippet. */
  readonly how: string;
  readonly snippet: (target: Target) => string;
  /** A link that the client opens itself with, where it has one. */
  readonly install?: (target: Target) => string;
  /** What installs and runs a program, which needs a token where others sign a person in. */
  readonly run?: (token: string) => string;
  /** Where it has people sent back to; a loopback port does not matter. */
  readonly redirectUris: readonly string[];
}

const SDK = '@modelcontextprotocol/client';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const servers = (key: string, entry: object) => json({ mcpServers: { [key]: entry } });

function cursorEntry({ url, clientId }: Target) {
  return clientId === undefined ? { url } : { url, auth: { CLIENT_ID: clientId } };
}

function vsCodeEntry({ url, clientId }: Target) {
  return { type: 'http', url, ...(clientId !== undefined && { oauth: { clientId } }) };
}

/** UTF-8 as base64, which takes Latin-1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** The clients that `docs/clients` describes, each with what it needs to be connected. */
export const mcpClients: readonly McpClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    how: 'Run it in a terminal. Then type /mcp in a session, choose the server, and Authenticate.',
    snippet: ({ key, url, clientId }) =>
      `claude mcp add --transport http ${clientId === undefined ? '' : `--client-id ${clientId} `}${key} ${url}`,
    redirectUris: ['http://localhost/callback'],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    how: 'Put it into mcp.json, in the folder .cursor of your home or of a project.',
    snippet: (target) => servers(target.key, cursorEntry(target)),
    install: (target) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(target.key)}&config=${encodeURIComponent(base64(JSON.stringify(cursorEntry(target))))}`,
    redirectUris: [
      'http://localhost/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
  },
  {
    id: 'claude',
    name: 'Claude',
    how: 'Open Settings, Connectors, Add custom connector, and paste it. Claude comes from the internet: this Gatehouse must be reachable there, by https.',
    snippet: ({ url, clientId }) => (clientId === undefined ? url : `${url}\n${clientId}`),
    redirectUris: [
      'https://claude.ai/api/mcp/auth_callback',
      'https://claude.com/api/mcp/auth_callback',
    ],
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    how: 'Put it into mcp.json, in the folder .vscode of your project.',
    snippet: (target) => json({ servers: { [target.key]: vsCodeEntry(target) } }),
    install: (target) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: target.key, ...vsCodeEntry(target) }))}`,
    redirectUris: ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://localhost/'],
  },
  {
    id: 'codex',
    name: 'Codex',
    how: 'Put it into ~/.codex/config.toml, and run codex mcp login with the name in brackets.',
    snippet: ({ key, url }) => `[mcp_servers.${key}]\nurl = "${url}"`,
    redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    how: 'Put it into settings.json, in the folder .gemini of your home. Then type /mcp auth with the name in a session.',
    snippet: ({ key, url, clientId }) =>
      servers(key, {
        httpUrl: url,
        ...(clientId !== undefined && { oauth: { enabled: true, clientId } }),
      }),
    redirectUris: ['http://localhost/oauth/callback'],
  },
  {
    id: 'inspector',
    name: 'MCP Inspector',
    how: 'Run it in a terminal, with Node 22.19 or later. It shows what other clients hide.',
    snippet: ({ url, clientId }) =>
      `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${clientId === undefined ? '' : ` --client-id ${clientId}`}`,
    redirectUris: ['http://127.0.0.1/oauth/callback', 'http://localhost/oauth/callback'],
  },
  {
    id: 'mcp-remote',
    name: 'mcp-remote',
    how: 'For a client that only starts programs. Put it where the client lists its servers.',
    snippet: ({ key, url, clientId }) =>
      servers(key, {
        command: 'npx',
        args: [
          '-y',
          'mcp-remote',
          url,
          ...(clientId === undefined
            ? []
            : ['--static-oauth-client-info', JSON.stringify({ client_id: clientId })]),
        ],
      }),
    redirectUris: ['http://localhost/oauth/callback', 'http://127.0.0.1/oauth/callback'],
  },
  {
    id: 'sdk',
    name: 'MCP SDK',
    how: 'Save the program as first-call.mjs in an empty folder. It needs a personal access token with the scope mcp, or a token that the program got by signing a person in.',
    snippet: programOf,
    run: (token) => `npm install ${SDK}\nGATEHOUSE_TOKEN=${token} node first-call.mjs`,
    redirectUris: ['http://127.0.0.1/callback'],
  },
];

/** Lists the tools, calls one of them, and ends. */
function programOf({ url, call }: Target): string {
  const calling =
    call === undefined
      ? ''
      : `
const { content } = await client.callTool({ name: ${JSON.stringify(call.name)}, arguments: ${JSON.stringify(call.args)} });
console.log(content);`;
  return `import { Client, StreamableHTTPClientTransport } from '${SDK}';

const headers = { Authorization: \`Bearer \${process.env.GATEHOUSE_TOKEN}\` };
const client = new Client({ name: 'my-program', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('${url}'), { requestInit: { headers } }),
);
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name));${calling}
await client.close();`;
}

/** A name that every client takes as a key, and that a terminal takes without quotes. */
export function keyOf(name: string): string {
  return slugOf(name, 40) || 'gatehouse';
}
