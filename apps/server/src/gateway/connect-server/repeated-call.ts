import type { Admission } from '../admission.ts';
import type { Call } from '../call.ts';
import { readWhole } from '../request-body.ts';
import type { ConnectServerDeps } from './deps.ts';
import { readMessages } from './messages.ts';
import { ASKED, connectedReply } from './modern.ts';
import { responseTo } from './reply.ts';
import { shownName } from './situation.ts';
import { TOOL_NAME } from './tool.ts';

/**
 * Whether a call may be the one that a modern client repeats because we asked it to open a URL, told by
 * its headers.
 */
export function mayBeRepeated({ era, req, inbound }: Call, { limits }: ConnectServerDeps): boolean {
  const { contentLength } = inbound;
  const { headers } = req;
  return (
    era === 'modern' &&
    headers['mcp-name'] === TOOL_NAME &&
    headers['mcp-method'] === 'tools/call' &&
    headers['content-encoding'] === undefined &&
    contentLength !== undefined &&
    contentLength > 0 &&
    contentLength <= limits.wholeBodyBytes
  );
}

/**
 * Answers it: the upstream knows no such tool. Calls with another state, or none, are the upstream's, which
 * may have a tool of this name.
 */
export function answerRepeated(
  call: Call,
  { route }: Pick<Admission, 'route'>,
  { version }: ConnectServerDeps,
  relay: (body: Buffer) => void,
): void {
  readWhole(call.req, call.inbound.contentLength ?? 0, (body) => {
    const messages = readMessages(body);
    if (messages.kind !== 'request' || messages.request.params.requestState !== ASKED) {
      relay(body);
      return;
    }
    const reply = connectedReply(shownName(route.integrationName), version);
    call.answer(200, responseTo(messages.request.id, reply));
  });
}
