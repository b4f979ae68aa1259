import { carriedCapabilities } from '../../mcp/aggregate/without-extensions.ts';
import { helloOf } from '../../mcp/client-hello.ts';
import { FIRST_MODERN_VERSION, LAST_LEGACY_VERSION, negotiatedVersion } from '../../mcp/era.ts';
import type { RpcRequest } from '../../mcp/server/messages.ts';
import { META } from '../../mcp/server/modern-check.ts';
import type { Reply } from '../../mcp/server/reply.ts';
import type { AggregateApplication } from './applications.ts';
import { CALL_TOOL, hasSearch, SEARCH_TOOL } from './search/tools.ts';
import { serverInfoOf } from './server-info.ts';

const LISTED = { listChanged: true };
const CAPABILITIES = {
  tools: LISTED,
  prompts: LISTED,
  resources: { ...LISTED, subscribe: true },
  completions: {},
};

/** Bytes of the instructions. */
const MAX_INSTRUCTIONS = 2_048;

/** The answer to `server/discover`. @param version of the service */
export function discovered(application: AggregateApplication, version: string): Reply {
  return {
    result: {
      resultType: 'complete',
      supportedVersions: [FIRST_MODERN_VERSION],
      capabilities: CAPABILITIES,
      instructions: instructionsOf(application),
      ...{ ttlMs: 60_000, cacheScope: 'private' },
      _meta: { [`${META}/serverInfo`]: serverInfoOf(application, version) },
    },
  };
}

/** The answer to `initialize`, and what its client has said. */
export function initialized(
  request: RpcRequest,
  application: AggregateApplication,
  version: string,
) {
  const protocolVersion = negotiatedVersion(request.params.protocolVersion, LAST_LEGACY_VERSION);
  const reply: Reply = {
    result: {
      protocolVersion,
      capabilities: {
        ...CAPABILITIES,
        logging: {},
      },
      serverInfo: serverInfoOf(application, version),
      instructions: instructionsOf(application),
    },
  };
  const hello = helloOf(request, protocolVersion);
  return { reply, hello: { ...hello, capabilities: carriedCapabilities(hello.capabilities) } };
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
