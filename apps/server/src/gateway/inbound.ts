/** What the gateway reads of a request's headers, gathered in one pass over the raw ones. */
export interface Inbound {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  requestId: string | undefined;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  mcpMethod: string | undefined;
  contentLength: number | undefined;
  isChunked: boolean;
  /** A header that says who calls, or in which session, came twice: which one counts is not for us to guess. */
  isAmbiguous: boolean;
  /** Name, value, name, value … of what may go to the upstream. */
  forwarded: string[];
}

type Kind =
  | 'host'
  | 'origin'
  | 'authorization'
  | 'x-request-id'
  | 'mcp-session-id'
  | 'mcp-protocol-version'
  | 'mcp-method'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'forward'
  | 'drop';

/**
 * Only these and `Mcp-*` go up. A list of what may pass cannot forget a credential, a cookie or a
 * forwarding header that somebody invents. Bodies pass as raw bytes with their `Content-Encoding`,
 * so the client's own `Accept-Encoding` holds (RFC 9110 sections 8.4 and 12.5.3).
 */
const KINDS = new Map<string, Kind>([
  ['host', 'host'],
  ['origin', 'origin'],
  ['authorization', 'authorization'],
  ['x-request-id', 'x-request-id'],
  ['mcp-session-id', 'mcp-session-id'],
  ['mcp-protocol-version', 'mcp-protocol-version'],
  ['mcp-method', 'mcp-method'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  ['connection', 'connection'],
  ['accept', 'forward'],
  ['accept-encoding', 'forward'],
  ['accept-language', 'forward'],
  ['content-type', 'forward'],
  ['content-encoding', 'forward'],
  ['last-event-id', 'forward'],
  ['user-agent', 'forward'],
  ['traceparent', 'forward'],
  ['tracestate', 'forward'],
]);

/** Kinds by name as spelled by clients; bounded, as clients choose the spelling. */
const seen = new Map<string, Kind>();
const MAX_SEEN = 500;

export function readInbound(rawHeaders: readonly string[]): Inbound {
  const inbound: Inbound = {
    host: undefined,
    origin: undefined,
    authorization: undefined,
    requestId: undefined,
    sessionId: undefined,
    protocolVersion: undefined,
    mcpMethod: undefined,
    contentLength: undefined,
    isChunked: false,
    isAmbiguous: false,
    forwarded: [],
  };
  let connection: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const kind = kindOf(name);
    if (kind === 'forward') inbound.forwarded.push(name, value);
    else if (kind === 'connection') connection = join(connection, value);
    else if (kind !== 'drop') note(inbound, kind, name, value);
  }
  if (connection !== undefined) dropNamed(inbound, connection);
  return inbound;
}

function kindOf(name: string): Kind {
  const known = seen.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const kind = KINDS.get(lower) ?? (lower.startsWith('mcp-') ? 'forward' : 'drop');
  if (seen.size < MAX_SEEN) seen.set(name, kind);
  return kind;
}

function note(inbound: Inbound, kind: Kind, name: string, value: string): void {
  switch (kind) {
    case 'host':
      inbound.isAmbiguous ||= inbound.host !== undefined;
      inbound.host = value;
      return;
    case 'authorization':
      inbound.isAmbiguous ||= inbound.authorization !== undefined;
      inbound.authorization = value;
      return;
    case 'mcp-session-id':
      inbound.isAmbiguous ||= inbound.sessionId !== undefined;
      inbound.sessionId = value;
      return;
    case 'mcp-protocol-version':
      inbound.isAmbiguous ||= inbound.protocolVersion !== undefined;
      inbound.protocolVersion = value;
      inbound.forwarded.push(name, value);
      return;
    case 'mcp-method':
      inbound.mcpMethod = value;
      inbound.forwarded.push(name, value);
      return;
    case 'origin':
      inbound.isAmbiguous ||= inbound.origin !== undefined;
      inbound.origin = value;
      return;
    case 'x-request-id':
      inbound.requestId = value;
      return;
    case 'content-length':
      inbound.contentLength = Number(value);
      return;
    case 'transfer-encoding':
      inbound.isChunked = true;
      return;
  }
}

/** What `Connection` names belongs to this connection alone (RFC 9110 section 7.6.1). */
function dropNamed(inbound: Inbound, connection: string): void {
  if (connection === 'keep-alive' || connection === 'close') return;
  const named = new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const { forwarded } = inbound;
  inbound.forwarded = [];
  for (let i = 0; i + 1 < forwarded.length; i += 2) {
    const name = forwarded[i] as string;
    if (!named.has(name.toLowerCase())) inbound.forwarded.push(name, forwarded[i + 1] as string);
  }
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before},${value}`;
}
