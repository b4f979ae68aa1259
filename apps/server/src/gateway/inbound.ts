import { gatewayChanges } from '@gatehouse/contract';

/** The request headers that the gateway uses, collected in one pass over the raw ones. */
export interface Inbound {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  requestId: string | undefined;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  mcpMethod: string | undefined;
  mcpName: string | undefined;
  /** The intermediaries that the call has passed (RFC 8586). */
  cdnLoop: string | undefined;
  contentLength: number | undefined;
  isChunked: boolean;
  /** A header that identifies the host, caller or session was repeated: we must not guess which one to trust. */
  isAmbiguous: boolean;
  /** Headers that may be sent upstream, as name, value, name, value … */
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
  | 'mcp-name'
  | 'cdn-loop'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'forward'
  | 'drop';

/**
 * What happens to each header. Sent upstream are those marked `forward`, `MCP-Protocol-Version`,
 * `Mcp-Method` and other `Mcp-*`, but never `Mcp-Session-Id`; the rest is read here or dropped. An
 * allow-list cannot miss a new credential, cookie or forwarding header. Bodies are relayed as raw bytes
 * with their `Content-Encoding`, so the client's own `Accept-Encoding` applies (RFC 9110 sections 8.4
 * and 12.5.3).
 */
const KINDS = new Map<string, Kind>([
  ['host', 'host'],
  ['origin', 'origin'],
  ['authorization', 'authorization'],
  ['x-request-id', 'x-request-id'],
  ['mcp-session-id', 'mcp-session-id'],
  ['mcp-protocol-version', 'mcp-protocol-version'],
  ['mcp-method', 'mcp-method'],
  ['mcp-name', 'mcp-name'],
  ['cdn-loop', 'cdn-loop'],
  ['content-length', 'content-length'],
  ['transfer-encoding', 'transfer-encoding'],
  ['connection', 'connection'],
  ...gatewayChanges.request.passed.map((name) => [name, 'forward'] as const),
]);

/** Kinds by name in the client's capitalization; bounded, since clients choose it. */
const kindsByRawName = new Map<string, Kind>();
const MAX_RAW_NAMES = 500;

export function readInbound(rawHeaders: readonly string[]): Inbound {
  const inbound: Inbound = {
    host: undefined,
    origin: undefined,
    authorization: undefined,
    requestId: undefined,
    sessionId: undefined,
    protocolVersion: undefined,
    mcpMethod: undefined,
    mcpName: undefined,
    cdnLoop: undefined,
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
    else if (kind === 'connection') connection = append(connection, value);
    else if (kind !== 'drop') record(inbound, kind, name, value);
  }
  if (connection !== undefined) dropConnectionHeaders(inbound, connection);
  return inbound;
}

/** In place of headers of the same names, in lower case; undefined takes one away. */
export type ReplacingHeaders = Readonly<Record<string, string | undefined>>;

const NO_HEADERS: ReplacingHeaders = {};

/** What differs from the client's message in one that is made here for an integration. */
export interface OwnMessage {
  /** The media type of its body; undefined without one. */
  readonly type: string | undefined;
  /** It is for a server of the other era: headers of MCP say something else there. */
  readonly isWithoutMcp?: boolean | undefined;
  readonly headers?: ReplacingHeaders | undefined;
}

/** The client's headers as those of another message. Its session, and the length and encoding of its body, are left out. */
export function inboundOf(
  client: Inbound,
  { type, isWithoutMcp = false, headers = NO_HEADERS }: OwnMessage,
): Inbound {
  const forwarded: string[] = [];
  for (let i = 0; i + 1 < client.forwarded.length; i += 2) {
    const name = client.forwarded[i] as string;
    const lower = name.toLowerCase();
    if (lower === 'content-type' || lower === 'content-encoding' || lower in headers) continue;
    if (isWithoutMcp && lower.startsWith('mcp-')) continue;
    forwarded.push(name, client.forwarded[i + 1] as string);
  }
  if (type !== undefined) forwarded.push('content-type', type);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) forwarded.push(name, value);
  }
  return {
    host: client.host,
    origin: client.origin,
    authorization: client.authorization,
    requestId: client.requestId,
    sessionId: undefined,
    protocolVersion: stated('mcp-protocol-version', headers, isWithoutMcp, client.protocolVersion),
    mcpMethod: stated('mcp-method', headers, isWithoutMcp, client.mcpMethod),
    mcpName: stated('mcp-name', headers, isWithoutMcp, client.mcpName),
    cdnLoop: client.cdnLoop,
    contentLength: undefined,
    isChunked: false,
    isAmbiguous: false,
    forwarded,
  };
}

function stated(
  name: string,
  headers: ReplacingHeaders,
  isWithoutMcp: boolean,
  byClient: string | undefined,
): string | undefined {
  return isWithoutMcp || name in headers ? headers[name] : byClient;
}

function kindOf(name: string): Kind {
  const known = kindsByRawName.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const kind = KINDS.get(lower) ?? (lower.startsWith('mcp-') ? 'forward' : 'drop');
  if (kindsByRawName.size < MAX_RAW_NAMES) kindsByRawName.set(name, kind);
  return kind;
}

function record(inbound: Inbound, kind: Kind, name: string, value: string): void {
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
    case 'mcp-name':
      inbound.mcpName = value;
      inbound.forwarded.push(name, value);
      return;
    case 'origin':
      inbound.isAmbiguous ||= inbound.origin !== undefined;
      inbound.origin = value;
      return;
    case 'x-request-id':
      inbound.requestId = value;
      return;
    case 'cdn-loop':
      inbound.cdnLoop = append(inbound.cdnLoop, value);
      return;
    case 'content-length':
      inbound.contentLength = Number(value);
      return;
    case 'transfer-encoding':
      inbound.isChunked = true;
      return;
  }
}

/** Headers named by `Connection` are for this connection only (RFC 9110 section 7.6.1). */
function dropConnectionHeaders(inbound: Inbound, connection: string): void {
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

function append(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before},${value}`;
}
