import { readMessages } from '../../mcp/server/messages.ts';
import { responseTo } from '../../mcp/server/reply.ts';
import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import { answerOf, type OwnAnswer } from '../own-answer.ts';
import type { ConnectServerDeps } from './deps.ts';
import { ASKED, confirmation, shownName, TOOL_NAME } from './tool.ts';

/**
 * Whether a call may be the one that a modern client repeats because we asked it to open a URL, told by
 * its headers.
 */
export function mayBeRepeated(
  { era, request, inbound }: Call,
  { limits }: ConnectServerDeps,
): boolean {
  const { contentLength, mcpMethod, mcpName } = inbound;
  return (
    era === 'modern' &&
    mcpName === TOOL_NAME &&
    mcpMethod === 'tools/call' &&
    request.headers['content-encoding'] === undefined &&
    contentLength !== undefined &&
    contentLength > 0 &&
    contentLength <= limits.wholeBodyBytes
  );
}

/**
 * The answer to it, if it is one, because the upstream does not have this tool. Calls with another state or
 * without one belong to the upstream, which may have a tool of this name.
 */
export function answerRepeated(
  { route }: Pick<Admission, 'route'>,
  { version }: ConnectServerDeps,
  body: Buffer,
): OwnAnswer | undefined {
  const messages = readMessages(body);
  if (messages.kind !== 'request') return undefined;
  const { id, params } = messages.request;
  if (params.requestState !== ASKED) return undefined;
  const reply = confirmation(shownName(route.integrationName), version);
  return answerOf(200, responseTo(id, reply));
}
