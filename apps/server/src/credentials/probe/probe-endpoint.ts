import { isHeaderValue, isJsonObject, type JsonObject } from '@gatehouse/contract';
import { EgressError } from '../../egress/errors.ts';
import { type Era, FIRST_MODERN_VERSION, LAST_LEGACY_VERSION } from '../../mcp/era.ts';
import { displayText } from '../oauth/json-object.ts';
import type { CredentialHeaders } from '../outcome.ts';
import { type Finding, findingOf, type ToolsFinding } from './finding.ts';
import type { ProbeClock } from './probe-clock.ts';
import type { RpcCallResult, RpcClient } from './rpc-client.ts';

/** Timeouts of a probe, in milliseconds. */
export interface ProbeTimeouts {
  /** For `server/discover`, to which some legacy servers never respond. */
  readonly discover: number;
  /** For the first event of the transport of 2024-11-05. */
  readonly oldTransport: number;
  /** For resolving the credential, which may wait for a refresh of tokens. */
  readonly credential: number;
  /** For everything except ending the session: resolving the credential, names, connections, responses. */
  readonly probe: number;
  /** For ending the legacy session that the probe opened. */
  readonly endSession: number;
}

const CLIENT_INFO = { name: 'gatehouse', version: '1' };
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': FIRST_MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion: only modern servers use these. */
const MODERN_ERRORS = new Set([-32020, -32021, -32022]);

/**
 * Sends the modern `server/discover` first, then the legacy `initialize`, and in the era that the
 * server supports `tools/list`: many servers initialize for anyone but require a credential for that.
 *
 * @param signal aborted at the deadline of the probe.
 */
export async function probeEndpoint(
  client: RpcClient,
  timeouts: ProbeTimeouts,
  signal: AbortSignal,
  clock: Pick<ProbeClock, 'note'>,
): Promise<Finding> {
  try {
    const discovered = await discover(
      client,
      AbortSignal.any([signal, AbortSignal.timeout(timeouts.discover)]),
    );
    if (discovered !== undefined && isConclusive(discovered)) return findingOf(discovered);
    if (capabilitiesOf(discovered) !== undefined) {
      clock.note('spoken');
      return await probeModernTools(client, discovered, signal);
    }
    const finding = await probeLegacy(client, timeouts, signal, clock);
    return finding.kind === 'other' && isModernError(discovered)
      ? { kind: 'mcp', era: 'modern', name: undefined, tools: 'untried' }
      : finding;
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'unreachable', error };
    throw error;
  }
}

/** `undefined` without a response to this method: the server may still respond to others. */
async function discover(
  client: RpcClient,
  signal: AbortSignal,
): Promise<RpcCallResult | undefined> {
  try {
    return await client.call({ ...modernCall('server/discover'), signal });
  } catch (error) {
    const hasNoResponse =
      error instanceof EgressError &&
      (error.kind === 'timeout' || error.reason === 'connection_lost');
    if (hasNoResponse) return undefined;
    throw error;
  }
}

async function probeModernTools(
  client: RpcClient,
  discovered: RpcCallResult | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const listTools = () => client.call({ ...modernCall('tools/list'), signal });
  return await probeTools('modern', discovered, listTools);
}

/** Any failure to list tools other than `unauthorized` says nothing about the credential. */
async function probeTools(
  era: Era,
  greeting: RpcCallResult | undefined,
  listTools: () => Promise<RpcCallResult>,
): Promise<Finding> {
  const found = (tools: ToolsFinding): Finding => {
    return { kind: 'mcp', era, name: nameOf(greeting), tools };
  };
  if (!hasTools(greeting)) return found('none');
  try {
    const listed = await listTools();
    if (resultOf(listed) !== undefined) return found('listed');
    const finding = findingOf(listed);
    return finding.kind === 'unauthorized' ? { ...finding, era } : found('refused');
  } catch (error) {
    if (error instanceof EgressError) return found('silent');
    throw error;
  }
}

async function probeLegacy(
  client: RpcClient,
  timeouts: ProbeTimeouts,
  signal: AbortSignal,
  clock: Pick<ProbeClock, 'note'>,
): Promise<Finding> {
  const params = {
    protocolVersion: LAST_LEGACY_VERSION,
    capabilities: {},
    clientInfo: CLIENT_INFO,
  };
  const initialized = await client.call({ method: 'initialize', params, signal });
  const version = resultOf(initialized)?.protocolVersion;
  // The version is sent back in a header.
  if (typeof version !== 'string' || !isHeaderValue(version)) {
    const isOld = initialized.status >= 400 && (await findsOldTransport(client, timeouts, signal));
    return isOld ? { kind: 'old_transport' } : findingOf(initialized);
  }

  const sessionId = initialized.headers['mcp-session-id'];
  const session: CredentialHeaders =
    typeof sessionId === 'string' ? [['mcp-session-id', sessionId]] : [];
  const headers: CredentialHeaders = [['mcp-protocol-version', version], ...session];
  clock.note('spoken');
  try {
    return await probeTools('legacy', initialized, async () => {
      const method = 'notifications/initialized';
      await client.call({ method, isNotification: true, headers, signal });
      return await client.call({ method: 'tools/list', params: {}, headers, signal });
    });
  } finally {
    if (session.length > 0)
      await client.endSession(headers, AbortSignal.timeout(timeouts.endSession));
  }
}

/** No answer, as from a stream without events, says nothing. */
async function findsOldTransport(
  client: RpcClient,
  timeouts: ProbeTimeouts,
  signal: AbortSignal,
): Promise<boolean> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeouts.oldTransport)]);
  try {
    return await client.hasOldTransport(within);
  } catch (error) {
    if (error instanceof EgressError) return false;
    throw error;
  }
}

function modernCall(method: string): {
  method: string;
  params: JsonObject;
  headers: CredentialHeaders;
} {
  return {
    method,
    params: { _meta: MODERN_META },
    headers: [
      ['mcp-protocol-version', FIRST_MODERN_VERSION],
      ['mcp-method', method],
    ],
  };
}

/** After these the result in the other era would be the same. */
function isConclusive({ status }: RpcCallResult): boolean {
  return status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400);
}

function isModernError(result: RpcCallResult | undefined): boolean {
  const response = result?.response;
  return response !== undefined && 'errorCode' in response && MODERN_ERRORS.has(response.errorCode);
}

function resultOf(result: RpcCallResult | undefined): JsonObject | undefined {
  const response = result?.response;
  return response !== undefined && 'result' in response ? response.result : undefined;
}

function capabilitiesOf(result: RpcCallResult | undefined): JsonObject | undefined {
  const capabilities = resultOf(result)?.capabilities;
  return isJsonObject(capabilities) ? capabilities : undefined;
}

function hasTools(result: RpcCallResult | undefined): boolean {
  return capabilitiesOf(result)?.tools !== undefined;
}

/** MCP 2026-07-28 has it in `_meta` of every result, earlier versions only in that of `initialize`. */
function nameOf(greeting: RpcCallResult | undefined): string | undefined {
  const result = resultOf(greeting);
  const meta = result?._meta;
  const info = (isJsonObject(meta) ? meta[SERVER_INFO] : undefined) ?? result?.serverInfo;
  return isJsonObject(info) ? (displayText(info.title) ?? displayText(info.name)) : undefined;
}
