import type { SentRequest } from './mcp/exchange.ts';
import type { Headers } from './mcp/messages.ts';
import { INITIALIZE } from './mcp/messages.ts';

/** A word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The variables stand for what only their owner has: a token of theirs, and the id of a session of their client. */
const TOKEN = '-H "authorization: Bearer $GATEHOUSE_TOKEN"';
const SESSION = '-H "mcp-session-id: $MCP_SESSION"';

/** The commands that repeat a call with a token of the reader. @param url of the gateway */
export function curlOf(url: string, { headers, body }: SentRequest): string {
  const hasSession = headers.some(([name]) => name === 'mcp-session-id');
  const call = commandOf(url, headers, body, '');
  return hasSession ? `${beginning(url, headers)}\n\n${call}` : call;
}

/** Begins a session, and keeps its id for the next command. */
function beginning(url: string, headers: Headers): string {
  const common = headers.filter(([name]) => !name.startsWith('mcp-'));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, ...INITIALIZE });
  const lines = commandOf(url, common, body, ' -D - -o /dev/null');
  return `MCP_SESSION=$(${lines} |\n  tr -d '\\r' | sed -n 's/^mcp-session-id: //Ip')`;
}

function commandOf(url: string, headers: Headers, body: string, options: string): string {
  const parts = headers.map(([name, value]) =>
    name === 'mcp-session-id' ? SESSION : `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [`curl -sS${options} ${quoted(url)}`, TOKEN, ...parts, `--data-raw ${quoted(body)}`].join(
    ' \\\n  ',
  );
}
