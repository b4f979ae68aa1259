import type { IncomingHttpHeaders } from 'node:http';
import { isHeaderValue, isJsonObject, type JsonObject } from '@gatehouse/contract';
import type { HeaderPairs } from '../../egress/sender.ts';
import type { ClientHello } from '../client-hello.ts';
import { FIRST_MODERN_VERSION, LAST_LEGACY_VERSION } from '../era.ts';
import { MODERN_ERRORS } from '../errors.ts';
import type { RpcResponse } from './response-reader.ts';

/** A message of a client, with the headers that belong to it. */
export interface ClientMessage {
  readonly method: string;
  readonly params?: JsonObject;
  readonly headers?: HeaderPairs;
  readonly isNotification?: boolean;
}

const CLIENT_INFO = { name: 'gatehouse', version: '1' };
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': FIRST_MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of ours as JSON. */
export function requestText(id: string | number, { method, params }: ClientMessage): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** MCP 2026-07-28: a request carries its version, and its method in a header too. */
export function modernRequest(method: string, params: JsonObject = {}): ClientMessage {
  return {
    method,
    params: { ...params, _meta: MODERN_META },
    headers: [
      ['mcp-protocol-version', FIRST_MODERN_VERSION],
      ['mcp-method', method],
    ],
  };
}

/** The first message to a legacy server. */
export const INITIALIZE = initializeOf({
  protocolVersion: LAST_LEGACY_VERSION,
  capabilities: {},
  clientInfo: CLIENT_INFO,
});

export function initializeOf({
  protocolVersion,
  capabilities,
  clientInfo,
}: ClientHello): ClientMessage {
  return { method: 'initialize', params: { protocolVersion, capabilities, clientInfo } };
}

/** The message with which a legacy client acknowledges the response to `initialize`. */
export const INITIALIZED: ClientMessage = {
  method: 'notifications/initialized',
  isNotification: true,
};

/** What a legacy server agreed to. */
export interface LegacySession {
  readonly version: string;
  /** The headers of every further message. */
  readonly headers: HeaderPairs;
  /** Whether the server keeps a session, which the client ends with DELETE. */
  readonly isKept: boolean;
}

/** The session that a response to `initialize` begins; undefined without a version that a header can carry. */
export function legacySessionOf(
  response: RpcResponse | undefined,
  headers: IncomingHttpHeaders,
): LegacySession | undefined {
  const version = resultOf(response)?.protocolVersion;
  if (typeof version !== 'string' || !isHeaderValue(version)) return undefined;
  const id = headers['mcp-session-id'];
  const isKept = typeof id === 'string';
  const session: HeaderPairs = isKept ? [['mcp-session-id', id]] : [];
  return { version, headers: [['mcp-protocol-version', version], ...session], isKept };
}

export function resultOf(response: RpcResponse | undefined): JsonObject | undefined {
  return response !== undefined && 'result' in response ? response.result : undefined;
}

export function errorCodeOf(response: RpcResponse | undefined): number | undefined {
  return response !== undefined && 'errorCode' in response ? response.errorCode : undefined;
}

/** Whether only a modern server responds like this. */
export function isModernError(response: RpcResponse | undefined): boolean {
  const code = errorCodeOf(response);
  return code !== undefined && MODERN_ERRORS.has(code);
}

/** What a server can do, by its response to `server/discover` or `initialize`. */
export function capabilitiesOf(response: RpcResponse | undefined): JsonObject | undefined {
  const capabilities = resultOf(response)?.capabilities;
  return isJsonObject(capabilities) ? capabilities : undefined;
}

/** MCP 2026-07-28 has it in `_meta` of every result, earlier versions only in that of `initialize`. */
export function serverInfoOf(response: RpcResponse | undefined): JsonObject | undefined {
  const result = resultOf(response);
  const meta = result?._meta;
  const info = (isJsonObject(meta) ? meta[SERVER_INFO] : undefined) ?? result?.serverInfo;
  return isJsonObject(info) ? info : undefined;
}
