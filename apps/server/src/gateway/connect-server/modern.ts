import { FIRST_MODERN_VERSION } from '../../mcp/era.ts';
import { METHOD_NOT_FOUND } from '../../mcp/errors.ts';
import { fieldsOf, isObject, type RpcRequest } from '../../mcp/server/messages.ts';
import { META, metaOf } from '../../mcp/server/modern-check.ts';
import { failed, type Reply } from '../../mcp/server/reply.ts';
import type { ConnectAdvice } from './connect-advice.ts';
import {
  CAPABILITIES,
  confirmation,
  connectTool,
  descriptionOf,
  instruction,
  invitation,
  serverInfo,
  TOOL_NAME,
} from './tool.ts';

/** Of the legacy era: no server of this one has them (2026-07-28 changelog). */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** The `requestState` of a client that was asked to open a URL, which it sends again with the call. */
export const ASKED = 'gatehouse-connect';

/** The lists end as soon as the person has connected. */
const UNCACHED = { ttlMs: 0, cacheScope: 'private' };

/** The answer to a request of the modern era, and its HTTP status; undefined for one that only an upstream answers. */
export function modernReply(
  request: RpcRequest,
  advice: ConnectAdvice,
  version: string,
): { readonly status: number; readonly reply: Reply } | undefined {
  const { method, params } = request;
  if (REMOVED.has(method)) {
    return { status: 404, reply: failed(METHOD_NOT_FOUND, 'Method not found.') };
  }
  const listed = listOf(method, advice);
  if (listed !== undefined) return { status: 200, reply: resultOf('complete', listed, version) };
  if (method !== 'tools/call' || params.name !== TOOL_NAME) return undefined;
  return { status: 200, reply: modernInvitation(request, advice, version) };
}

function listOf(method: string, advice: ConnectAdvice): object | undefined {
  switch (method) {
    case 'server/discover':
      return {
        supportedVersions: [FIRST_MODERN_VERSION],
        capabilities: CAPABILITIES,
        instructions: descriptionOf(advice),
        ...UNCACHED,
      };
    case 'tools/list':
      return { tools: [connectTool(advice)], ...UNCACHED };
    case 'prompts/list':
      return { prompts: [], ...UNCACHED };
    case 'resources/list':
      return { resources: [], ...UNCACHED };
    case 'resources/templates/list':
      return { resourceTemplates: [], ...UNCACHED };
    default:
      return undefined;
  }
}

/** Asks once: whatever the person answered, the link follows as text. */
export function modernInvitation(
  request: RpcRequest,
  advice: ConnectAdvice,
  version: string,
): Reply {
  const { connectUrl: url } = advice;
  const capabilities = fieldsOf(metaOf(request)[`${META}/clientCapabilities`]);
  const opensUrls = isObject(fieldsOf(capabilities.elicitation).url);
  if (opensUrls && request.params.inputResponses === undefined) {
    const params = { mode: 'url', message: invitation(advice), url };
    const inputRequests = { connect: { method: 'elicitation/create', params } };
    return resultOf('input_required', { inputRequests, requestState: ASKED }, version);
  }
  const content = [{ type: 'text', text: instruction(advice) }];
  return resultOf('complete', { content }, version);
}

/** The answer to the repeated call of a person who has connected meanwhile. */
export function connectedReply(name: string, version: string): Reply {
  return resultOf('complete', { content: [{ type: 'text', text: confirmation(name) }] }, version);
}

/** @param version of the service */
export function resultOf(resultType: string, fields: object, version: string): Reply {
  const _meta = { [`${META}/serverInfo`]: serverInfo(version) };
  return { result: { resultType, ...fields, _meta } };
}
