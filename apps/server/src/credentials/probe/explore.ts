import { isHeaderValue, isJsonObject, type JsonObject } from '@gatehouse/contract';
import { EgressError } from '../../egress/errors.ts';
import { FIRST_MODERN_VERSION, LAST_LEGACY_VERSION } from '../../mcp/era.ts';
import type { CredentialHeaders } from '../outcome.ts';
import type { Finding } from './finding.ts';
import type { RpcClient, RpcReply } from './rpc-client.ts';

/** Deadlines of a probe, in milliseconds. */
export interface ProbeTimes {
  /** For `server/discover` alone: servers of the legacy era may leave it without an answer. */
  readonly discover: number;
  /** For everything but the farewell. */
  readonly explore: number;
  /** For ending the legacy session that was opened. */
  readonly farewell: number;
}

const CLIENT_INFO = { name: 'gatehouse', version: '1' };
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': FIRST_MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion: none but modern servers use these. */
const MODERN_ERRORS = new Set([-32020, -32021, -32022]);

/**
 * Asks an endpoint what it is: the modern `server/discover` first, then the legacy `initialize`, and
 * in the era it speaks `tools/list`, which many servers guard although they greet anyone.
 */
export async function explore(client: RpcClient, times: ProbeTimes): Promise<Finding> {
  const signal = AbortSignal.timeout(times.explore);
  try {
    const discovered = await discover(
      client,
      AbortSignal.any([signal, AbortSignal.timeout(times.discover)]),
    );
    if (discovered !== undefined && isConclusive(discovered)) return findingOf(discovered);
    if (capabilitiesOf(discovered) !== undefined)
      return await listModern(client, discovered, signal);
    const found = await exploreLegacy(client, times, signal);
    return found.kind === 'other' && isModernError(discovered)
      ? { kind: 'mcp', era: 'modern' }
      : found;
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'unreached', error };
    throw error;
  }
}

/** `undefined` when the server would not answer this method, which does not mean it answers none. */
async function discover(client: RpcClient, signal: AbortSignal): Promise<RpcReply | undefined> {
  try {
    return await client.call({ ...modernCall('server/discover'), signal });
  } catch (error) {
    const isSilence =
      error instanceof EgressError &&
      (error.kind === 'timeout' || error.reason === 'connection_lost');
    if (isSilence) return undefined;
    throw error;
  }
}

async function listModern(
  client: RpcClient,
  discovered: RpcReply | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const found: Finding = { kind: 'mcp', era: 'modern' };
  if (!hasTools(discovered)) return found;
  return (await refusalOf(() => client.call({ ...modernCall('tools/list'), signal }))) ?? found;
}

async function exploreLegacy(
  client: RpcClient,
  times: ProbeTimes,
  signal: AbortSignal,
): Promise<Finding> {
  const params = {
    protocolVersion: LAST_LEGACY_VERSION,
    capabilities: {},
    clientInfo: CLIENT_INFO,
  };
  const reply = await client.call({ method: 'initialize', params, signal });
  const version = resultOf(reply)?.protocolVersion;
  // It goes back in a header.
  if (typeof version !== 'string' || !isHeaderValue(version)) return findingOf(reply);

  const sessionId = reply.headers['mcp-session-id'];
  const session: CredentialHeaders =
    typeof sessionId === 'string' ? [['mcp-session-id', sessionId]] : [];
  const headers: CredentialHeaders = [['mcp-protocol-version', version], ...session];
  const found: Finding = { kind: 'mcp', era: 'legacy' };
  try {
    if (!hasTools(reply)) return found;
    const refused = await refusalOf(async () => {
      const method = 'notifications/initialized';
      await client.call({ method, isNotification: true, headers, signal });
      return await client.call({ method: 'tools/list', params: {}, headers, signal });
    });
    return refused ?? found;
  } finally {
    if (session.length > 0) await client.endSession(headers, AbortSignal.timeout(times.farewell));
  }
}

/** A greeted caller who may not list tools has no usable credential; any other trouble is not ours to judge. */
async function refusalOf(list: () => Promise<RpcReply>): Promise<Finding | undefined> {
  try {
    const finding = findingOf(await list());
    return finding.kind === 'unauthorized' ? finding : undefined;
  } catch (error) {
    if (error instanceof EgressError) return undefined;
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

/** Answers after which the other era is not worth asking about. */
function isConclusive({ status }: RpcReply): boolean {
  return status === 401 || status === 403 || status === 429 || isRedirect(status);
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function findingOf({ status, headers, response }: RpcReply): Finding {
  if (status === 401 || status === 403) {
    const isChallenge = headers['www-authenticate'] !== undefined || response !== undefined;
    return { kind: 'unauthorized', status, isChallenge };
  }
  const errorCode =
    response !== undefined && 'errorCode' in response ? response.errorCode : undefined;
  return { kind: 'other', status, errorCode };
}

function isModernError(reply: RpcReply | undefined): boolean {
  const response = reply?.response;
  return response !== undefined && 'errorCode' in response && MODERN_ERRORS.has(response.errorCode);
}

function resultOf(reply: RpcReply | undefined): JsonObject | undefined {
  const response = reply?.response;
  return response !== undefined && 'result' in response ? response.result : undefined;
}

function capabilitiesOf(reply: RpcReply | undefined): JsonObject | undefined {
  const capabilities = resultOf(reply)?.capabilities;
  return isJsonObject(capabilities) ? capabilities : undefined;
}

function hasTools(reply: RpcReply | undefined): boolean {
  return capabilitiesOf(reply)?.tools !== undefined;
}
