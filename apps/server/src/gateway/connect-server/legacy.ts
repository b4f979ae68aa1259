import { opensUrls } from '../../mcp/client-hello.ts';
import { negotiatedVersion } from '../../mcp/era.ts';
import { URL_ELICITATION_REQUIRED } from '../../mcp/errors.ts';
import type { RpcRequest } from '../../mcp/server/messages.ts';
import { failed, type Reply } from '../../mcp/server/reply.ts';
import { newestLegacyVersion } from '../../mcp/spoken-eras.ts';
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
          protocolVersion: agreedVersion(params.protocolVersion, advice),
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
        ? legacyInvitation(advice)
        : { error: advice.error };
  }
}

/** The version to answer an `initialize` with: the upstream must speak it too, once the person has connected. */
export function agreedVersion(requested: unknown, { eras }: Pick<ConnectAdvice, 'eras'>): string {
  return negotiatedVersion(requested, newestLegacyVersion(eras));
}

/** The link for a client: as a URL to open where it can do that, else as text. */
export function legacyInvitation(advice: ConnectAdvice): Reply {
  const { session, connectUrl } = advice;
  if (session !== undefined && opensUrls(session.hello)) {
    const message = invitation(advice);
    const elicitation = { mode: 'url', elicitationId: session.nonce, url: connectUrl, message };
    return failed(URL_ELICITATION_REQUIRED, message, { elicitations: [elicitation] });
  }
  return { result: { content: [{ type: 'text', text: instruction(advice) }] } };
}
