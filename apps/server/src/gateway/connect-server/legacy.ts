import { LAST_LEGACY_VERSION, LEGACY_VERSIONS } from '../../mcp/era.ts';
import { fieldsOf, isObject, type RpcRequest } from '../../mcp/server/messages.ts';
import { failed, type Reply } from '../../mcp/server/reply.ts';
import type { ConnectAdvice } from './connect-advice.ts';
import {
  CAPABILITIES,
  connectTool,
  descriptionOf,
  instruction,
  invitation,
  serverInfo,
  TOOL_NAME,
} from './tool.ts';

/** 2025-11-25, "URL Elicitation Required Error". */
const URL_ELICITATION_REQUIRED = -32042;

/** The answer to a request of the legacy era. */
export function legacyReply(
  { method, params }: RpcRequest,
  advice: ConnectAdvice,
  version: string,
): Reply {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: negotiatedVersion(params.protocolVersion),
          capabilities: CAPABILITIES,
          serverInfo: serverInfo(version),
          instructions: descriptionOf(advice),
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: [connectTool(advice)] } };
    case 'prompts/list':
      return { result: { prompts: [] } };
    case 'resources/list':
      return { result: { resources: [] } };
    case 'resources/templates/list':
      return { result: { resourceTemplates: [] } };
    default:
      return method === 'tools/call' && params.name === TOOL_NAME
        ? called(advice)
        : { error: advice.error };
  }
}

/** Whether the client of an `initialize` can be asked to open a URL: since 2025-11-25. */
export function opensUrls({ params }: RpcRequest): boolean {
  const { elicitation } = fieldsOf(params.capabilities);
  const isKnown = negotiatedVersion(params.protocolVersion) === LAST_LEGACY_VERSION;
  return isKnown && isObject(fieldsOf(elicitation).url);
}

/** The requested version if it is one of ours, else our newest (2025-11-25 lifecycle, "Version Negotiation"). */
function negotiatedVersion(requested: unknown): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LAST_LEGACY_VERSION;
}

function called(advice: ConnectAdvice): Reply {
  const { session, connectUrl } = advice;
  if (session?.opensUrls && connectUrl !== undefined) {
    const message = invitation(advice);
    const elicitation = { mode: 'url', elicitationId: session.nonce, url: connectUrl, message };
    return failed(URL_ELICITATION_REQUIRED, message, { elicitations: [elicitation] });
  }
  return { result: { content: [{ type: 'text', text: instruction(advice) }] } };
}
