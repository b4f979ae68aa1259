import { EgressError } from '../../egress/errors.ts';
import type { McpClient, McpResponse } from '../../mcp/client/client.ts';
import { modernVerdict } from '../../mcp/client/find-eras.ts';
import { shownBy } from '../../mcp/client/greeting.ts';
import { type RequestPage, readLists } from '../../mcp/client/lists.ts';
import {
  capabilitiesOf,
  INITIALIZE,
  INITIALIZED,
  isModernError,
  legacySessionOf,
  modernRequest,
  resultOf,
  serverInfoOf,
} from '../../mcp/client/messages.ts';
import type { Era } from '../../mcp/era.ts';
import type { SpokenEras } from '../../mcp/spoken-eras.ts';
import { displayText } from '../oauth/json-object.ts';
import { type Finding, findingOf, type ToolsFinding } from './finding.ts';
import type { ProbeClock } from './probe-clock.ts';

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

/** Requests to a server that the stages of a probe do not need. */
export interface Wanted {
  /** All its lists. */
  readonly lists: boolean;
}

/**
 * Sends the modern `server/discover` first, then the legacy `initialize`, and in the era that the
 * server supports `tools/list`: many servers initialize for anyone but require a credential for that.
 *
 * @param signal aborted at the deadline of the probe.
 * @param wanted requests that the stages do not need
 */
export async function probeEndpoint(
  client: McpClient,
  timeouts: ProbeTimeouts,
  signal: AbortSignal,
  clock: Pick<ProbeClock, 'note'>,
  wanted: Wanted,
): Promise<Finding> {
  try {
    const discovered = await discover(
      client,
      AbortSignal.any([signal, AbortSignal.timeout(timeouts.discover)]),
    );
    if (discovered !== undefined && isConclusive(discovered)) return findingOf(discovered);
    const greeted = shownBy(discovered?.response, 'modern');
    if (greeted !== undefined) {
      clock.note('spoken');
      const listed = await probeTools('modern', discovered, clock, wanted, (method, params) =>
        client.send(modernRequest(method, params), signal),
      );
      return { ...listed, spoken: greeted };
    }
    const modern = modernVerdict(discovered);
    const finding = await probeLegacy(client, timeouts, signal, clock, modern, wanted);
    return finding.kind === 'other' && isModernError(discovered?.response)
      ? { kind: 'mcp', era: 'modern', name: undefined, tools: 'untried' }
      : finding;
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'unreachable', error };
    throw error;
  }
}

/** `undefined` without a response to this method: the server may still respond to others. */
async function discover(client: McpClient, signal: AbortSignal): Promise<McpResponse | undefined> {
  try {
    return await client.send(modernRequest('server/discover'), signal);
  } catch (error) {
    const hasNoResponse =
      error instanceof EgressError &&
      (error.kind === 'timeout' || error.reason === 'connection_lost');
    if (hasNoResponse) return undefined;
    throw error;
  }
}

/** A finding of a server that speaks MCP. */
type Spoken = Extract<Finding, { kind: 'mcp' | 'unauthorized' }>;

/** Any failure to list tools other than `unauthorized` says nothing about the credential. */
async function probeTools(
  era: Era,
  greeting: McpResponse | undefined,
  clock: Pick<ProbeClock, 'note'>,
  wanted: Wanted,
  requestPage: RequestPage,
): Promise<Spoken> {
  const found = (tools: ToolsFinding): Extract<Spoken, { kind: 'mcp' }> => {
    return { kind: 'mcp', era, name: nameOf(greeting), tools };
  };
  const capabilities = capabilitiesOf(greeting?.response) ?? {};
  try {
    const hasTools = capabilities.tools !== undefined;
    const listed = hasTools ? await requestPage('tools/list', {}) : undefined;
    // The time of what follows is no stage's.
    clock.note('done');
    if (listed !== undefined && resultOf(listed.response) === undefined) {
      const finding = findingOf(listed);
      return finding.kind === 'unauthorized' ? { ...finding, era } : found('refused');
    }
    const finding = found(hasTools ? 'listed' : 'none');
    if (!wanted.lists) return finding;
    return { ...finding, lists: await readLists(capabilities, listed, requestPage) };
  } catch (error) {
    if (error instanceof EgressError) return found('silent');
    throw error;
  }
}

async function probeLegacy(
  client: McpClient,
  timeouts: ProbeTimeouts,
  signal: AbortSignal,
  clock: Pick<ProbeClock, 'note'>,
  modern: SpokenEras['modern'],
  wanted: Wanted,
): Promise<Finding> {
  const initialized = await client.send(INITIALIZE, signal);
  const session = legacySessionOf(initialized.response, initialized.headers);
  if (session === undefined) {
    const isOld = initialized.status >= 400 && (await findsOldTransport(client, timeouts, signal));
    return isOld ? { kind: 'old_transport' } : findingOf(initialized);
  }

  const { headers } = session;
  const greeted = shownBy(initialized.response, 'legacy');
  const spoken = { ...greeted, ...(modern === undefined ? {} : { modern }) };
  clock.note('spoken');
  try {
    let isInitialized = false;
    const listed = await probeTools(
      'legacy',
      initialized,
      clock,
      wanted,
      async (method, params) => {
        if (!isInitialized) await client.send({ ...INITIALIZED, headers }, signal);
        isInitialized = true;
        return await client.send({ method, params, headers }, signal);
      },
    );
    return { ...listed, spoken };
  } finally {
    if (session.isKept) await client.endSession(headers, AbortSignal.timeout(timeouts.endSession));
  }
}

/** False also if there is no response, as from a stream without events. */
async function findsOldTransport(
  client: McpClient,
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

/** After these statuses the result in the other era would be the same. */
function isConclusive({ status }: McpResponse): boolean {
  return status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400);
}

/** Cleaned, because the server chose it. */
function nameOf(greeting: McpResponse | undefined): string | undefined {
  const info = serverInfoOf(greeting?.response);
  return displayText(info?.title) ?? displayText(info?.name);
}
