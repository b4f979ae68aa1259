import { carriedCapabilities } from '../../mcp/aggregate/without-extensions.ts';
import { helloOf } from '../../mcp/client-hello.ts';
import { type Era, LAST_LEGACY_VERSION } from '../../mcp/era.ts';
import { INVALID_PARAMS } from '../../mcp/errors.ts';
import { isLogLevel } from '../../mcp/log-levels.ts';
import type { RpcRequest } from '../../mcp/server/messages.ts';
import { failed, type Reply, type WrittenResult } from '../../mcp/server/reply.ts';
import type { Offer } from '../../mcp/server/serve.ts';
import type { GatewaySessions } from '../../sessions/sessions.ts';
import { sessionCallerOf } from '../admission.ts';
import { answerList, type ListDeps } from './answer-list.ts';
import { type AggregateApplication, serverInfoOf } from './applications.ts';
import type { InSession } from './client-call.ts';
import { type ConnectToolDeps, callConnectTool } from './connect-tool.ts';
import { passToBegun } from './messages-of-client.ts';
import { type SearchDeps, searchTools } from './search/search-tools.ts';
import { CALL_TOOL, hasSearch, SEARCH_TOOL } from './search/tools.ts';
import { type ListenDeps, listenSpeech } from './streams/listen-speech.ts';
import { MergedStream } from './streams/merged-stream.ts';
import type { AggregateStreams } from './streams/streams.ts';

export interface ApplicationOfferDeps extends ListDeps, SearchDeps, ListenDeps, ConnectToolDeps {
  readonly lists: ListenDeps['lists'];
  readonly version: string;
  readonly sessions: Pick<GatewaySessions, 'aggregates'>;
  readonly streams: Pick<AggregateStreams, 'open'>;
}

const LISTED = { listChanged: true };
const CAPABILITIES = {
  tools: LISTED,
  prompts: LISTED,
  resources: { ...LISTED, subscribe: true },
  completions: {},
};

/** Bytes of the instructions. */
const MAX_INSTRUCTIONS = 2_048;

/**
 * The lists of an application's integrations, and the tools of the one URL itself. What one integration answers alone is not
 * here.
 *
 * @param body of the request
 */
export function applicationOffer(
  client: InSession,
  era: Era,
  body: Buffer,
  deps: ApplicationOfferDeps,
): Offer<Reply | WrittenResult> {
  const { application, caller } = client;
  return {
    serverInfo: serverInfoOf(application, deps.version),
    capabilities: era === 'modern' ? CAPABILITIES : { ...CAPABILITIES, logging: {} },
    instructions: () => instructionsOf(application),
    newestVersion: LAST_LEGACY_VERSION,
    ttlMs: 60_000,
    async begin(initialize, protocolVersion) {
      const hello = helloOf(initialize, protocolVersion);
      const carried = { ...hello, capabilities: carriedCapabilities(hello.capabilities) };
      const place = { organizationId: application.organizationId, applicationId: application.id };
      const { aggregates } = deps.sessions;
      return (await aggregates.open(place, sessionCallerOf(caller), carried)).clientSessionId;
    },
    list: (list, { params }) => answerList(client, list, params.cursor, deps),
    call(request) {
      const { method, params } = request;
      if (method === 'tools/call') {
        const call = params.name === SEARCH_TOOL ? searchTools : callConnectTool;
        return () => call(client, request, deps);
      }
      const isOfLegacy = era === 'legacy' && method === 'logging/setLevel';
      return isOfLegacy ? () => setLogLevel(client, request, body, deps) : undefined;
    },
    async listen(request) {
      const speech = await listenSpeech(client, request, deps);
      if (speech !== undefined) await deps.streams.open(new MergedStream(client, speech, deps));
      return speech !== undefined;
    },
  };
}

async function setLogLevel(
  client: InSession,
  { params: { level } }: RpcRequest,
  body: Buffer,
  deps: ApplicationOfferDeps,
): Promise<Reply> {
  const { session } = client;
  if (session === undefined || !isLogLevel(level)) {
    return failed(INVALID_PARAMS, 'Invalid params: level is not one of RFC 5424.');
  }
  await deps.sessions.aggregates.setLogLevel(session, level);
  await passToBegun(client, body, deps);
  return { result: {} };
}

/** Upstreams' own are not merged: one server must not instruct about the tools of another. */
function instructionsOf({ attachments, mode }: AggregateApplication): string {
  const isSearched = hasSearch({ mode });
  const how = ` Find a tool with ${SEARCH_TOOL}, then call it with ${CALL_TOOL}.`;
  let text = `The tools and prompts of several integrations.${isSearched ? how : ''} Their names begin with:`;
  for (const { alias, integrationName } of attachments) {
    const line = `\n${alias === '' ? '(no prefix)' : `${alias}__`}: ${integrationName}`;
    if (Buffer.byteLength(text) + Buffer.byteLength(line) > MAX_INSTRUCTIONS) break;
    text += line;
  }
  return text;
}
