import { clauseOf, credentialFailures } from '@gatehouse/contract';
import { callFailures } from '../../credentials/failures.ts';
import { opensUrls } from '../../mcp/client-hello.ts';
import type { Era } from '../../mcp/era.ts';
import { URL_ELICITATION_REQUIRED } from '../../mcp/errors.ts';
import { fieldsOf, isObject, type RpcRequest, readMessages } from '../../mcp/server/messages.ts';
import { META, metaOf } from '../../mcp/server/modern-check.ts';
import { failed, type Reply, responseTo } from '../../mcp/server/reply.ts';
import { resultIn } from '../../mcp/server/serve.ts';
import type { ConnectSession } from '../../sessions/connect-session-ids.ts';
import type { Admission, NeededUser } from '../admission.ts';
import type { Call } from '../call.ts';
import type { ConnectError } from '../credential-error.ts';
import { answerOf, type OwnAnswer } from '../own-answer.ts';
import type { ConnectServerDeps } from './deps.ts';

/** What a client must learn: who must act, how, and on which page. */
export interface ConnectAdvice {
  readonly reason: NeededUser['reason'];
  /** The integration's name, see {@link shownName}. */
  readonly name: string;
  /** The error of every call that is not answered. */
  readonly error: ConnectError;
  /** The client's, if it has one. */
  readonly session: ConnectSession | undefined;
}

/** How the connect server names itself. @param version of the service */
export function serverInfo(version: string): object {
  return { name: 'gatehouse-connect', title: 'Gatehouse', version };
}

export const TOOL_NAME = 'connect_account';

/** The `requestState` of a client that was asked to open a URL, which it sends again with the call. */
const ASKED = 'gatehouse-connect';

/** Characters of a name. */
const MAX_NAME = 80;

/** An integration's name, as an admin chose it, shortened. */
export function shownName(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  return `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

function causeOf({ reason, name }: ConnectAdvice): string {
  const { sentence } = { ...credentialFailures, ...callFailures }[reason];
  return `“${name}” cannot be used: ${clauseOf(sentence)}.`;
}

/** The only tool: what is wrong, and what calling it does. */
export function connectTool(advice: ConnectAdvice): object {
  return {
    name: TOOL_NAME,
    title: `Connect ${advice.name}`,
    description: descriptionOf(advice),
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** For the model: of the tool, and of the server. */
export function descriptionOf(advice: ConnectAdvice): string {
  const { reason, name } = advice;
  const once = reason === 'consent_required' ? 'agreed' : 'connected';
  return `${causeOf(advice)} The tool ${TOOL_NAME} returns a link: open it in a browser, sign in, and follow the page. The tools of “${name}” appear once you have ${once}.`;
}

/** What calling the tool returns, for the client to show to the person. */
function instruction(advice: ConnectAdvice): string {
  const { connectUrl } = advice.error.data;
  return `${causeOf(advice)} Open this link in a browser, sign in, and follow the page: ${connectUrl}\nThen ask again.`;
}

/** Shown by a client that opens the link itself. */
function invitation(advice: ConnectAdvice): string {
  const what = advice.reason === 'consent_required' ? 'agree to it' : 'connect your account';
  return `${causeOf(advice)} Sign in to ${what}.`;
}

/**
 * The answer to a call of the tool: the link as a URL to open where the client can do that, else as text. A modern client is
 * asked once: whatever the person answered, the link follows as text.
 *
 * @param version of the service
 */
export function invite(
  era: Era,
  request: RpcRequest,
  advice: ConnectAdvice,
  version: string,
): Reply {
  const { session, error } = advice;
  const url = error.data.connectUrl;
  const message = invitation(advice);
  if (era === 'modern' && canBeAsked(request)) {
    const params = { mode: 'url', message, url };
    const inputRequests = { connect: { method: 'elicitation/create', params } };
    const fields = { inputRequests, requestState: ASKED };
    return resultIn(era, fields, serverInfo(version), 'input_required');
  }
  if (era === 'legacy' && session !== undefined && opensUrls(session.hello)) {
    const elicitation = { mode: 'url', elicitationId: session.nonce, url, message };
    return failed(URL_ELICITATION_REQUIRED, message, { elicitations: [elicitation] });
  }
  return textIn(era, instruction(advice), version);
}

function canBeAsked(request: RpcRequest): boolean {
  const capabilities = fieldsOf(metaOf(request)[`${META}/clientCapabilities`]);
  const opensUrls = isObject(fieldsOf(capabilities.elicitation).url);
  return opensUrls && request.params.inputResponses === undefined;
}

/** The answer to the repeated call of a person who has connected meanwhile. */
function confirmation(name: string, version: string): Reply {
  const text = `Your account is connected to “${name}” now. Its own tools have taken the place of ${TOOL_NAME}: list the tools again.`;
  return textIn('modern', text, version);
}

/** The result of a tool that says this. @param version of the service */
export function textIn(era: Era, text: string, version: string, isError = false): Reply {
  const fields = { content: [{ type: 'text', text }], ...(isError && { isError }) };
  return resultIn(era, fields, serverInfo(version));
}

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
