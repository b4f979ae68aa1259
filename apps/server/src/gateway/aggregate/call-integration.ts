import { withMcpChallenge } from '../../http/challenge.ts';
import { rewriteName } from '../../mcp/aggregate/rewrite-name.ts';
import { withoutExtensions } from '../../mcp/aggregate/without-extensions.ts';
import type { Message } from '../../mcp/envelope/message.ts';
import { INVALID_PARAMS, INVALID_REQUEST, RESOURCE_NOT_FOUND } from '../../mcp/errors.ts';
import { encodedHeader } from '../../mcp/header-values.ts';
import { messageOf, type RpcRefusal } from '../../mcp/server/reply.ts';
import { attachmentSubscribedTo } from '../../sessions/sessions.ts';
import type { ReplacingHeaders } from '../inbound.ts';
import type { InSession } from './client-call.ts';
import { failureError, problemOfRequest } from './failure-reply.ts';
import type { AggregateLists } from './lists/lists.ts';
import { isRefusedInLostSession } from './lists/lost-sessions.ts';
import { passMessage } from './messages-of-client.ts';
import { passAnswer } from './pass-answer.ts';
import { IdsForClient } from './server-request-ids.ts';
import { envelopeFor, findTarget, type RequestTarget } from './target.ts';
import { callTranslated } from './translation/call-translated.ts';
import { unsubscribe } from './translation/subscriptions.ts';
import type { TranslationDeps } from './translation/translated-call.ts';
import type { Unanswered, UpstreamFailure } from './upstream-answer.ts';
import { callUpstream, type UpstreamCall } from './upstream-calls.ts';
import { upstreamRequest } from './upstream-request.ts';
import { isOtherNow, isRefusalOfEra, sideOfAttachment } from './upstream-side.ts';

export interface CallIntegrationDeps extends TranslationDeps {
  readonly lists: AggregateLists;
}

/** A request that one integration answers, with its raw id. */
export type TargetedMessage = Message & {
  readonly id: string;
  /** Headers that repeat its arguments, where the client has not sent them itself. */
  readonly paramHeaders?: Readonly<Record<string, string>>;
};

/**
 * Sends a request to the integration that it is for. Of the body only the name changes, and what belongs to extensions
 * that are not carried goes; the answer is passed on as it comes.
 */
export async function callIntegration(
  client: InSession,
  message: TargetedMessage,
  body: Buffer,
  deps: CallIntegrationDeps,
): Promise<void> {
  const { session, call } = client;
  if (session !== undefined && message.method === 'resources/unsubscribe') {
    // The resource may not be listed any more.
    const attachmentId = attachmentSubscribedTo(session, message.uri ?? '');
    if (attachmentId !== undefined) {
      await unsubscribe(client, session, attachmentId, message, deps);
      return;
    }
  }
  const target = await findTarget(client, message, deps.lists);
  if (target === undefined) {
    call.reply(message.id, unknown(client, message));
    return;
  }
  const own = await ownBody(body, target);
  if (own === undefined) call.reply(message.id, ambiguous(), 400);
  else await callInItsEra({ client, message, target, body: own }, deps);
}

/** The body for the integration, which knows the tool or prompt by its own name. */
function ownBody(body: Buffer, { named }: RequestTarget): ReturnType<typeof withoutExtensions> {
  const own = named === undefined ? body : rewriteName(body, named.at, named.name);
  return withoutExtensions(own);
}

/** A request on its way to an integration, with the integration's own name in its body. */
interface TargetedCall {
  readonly client: InSession;
  readonly message: TargetedMessage;
  readonly target: RequestTarget;
  readonly body: Buffer;
}

/**
 * In the client's era the request goes as it is; an integration that does not speak it gets a translation.
 *
 * @param mayRepeat in the other era, if the integration turns out to speak only that one now
 */
async function callInItsEra(
  given: TargetedCall,
  deps: CallIntegrationDeps,
  mayRepeat = true,
): Promise<void> {
  const { client, message, target } = given;
  const { attachment } = target;
  const side = await sideOfAttachment(client, attachment, deps);
  const isTranslated = side.era !== client.call.era;
  const unanswered = isTranslated
    ? await callTranslated({ ...given, side }, deps)
    : await callAsItIs(given, deps);
  if (unanswered === undefined) return;
  const isOther =
    mayRepeat &&
    isRefusalOfEra(unanswered, side.era) &&
    (await isOtherNow(client, attachment, side.era, deps));
  if (isOther) await callInItsEra(given, deps, false);
  else if (unanswered.kind === 'error') unanswered.pass();
  else answerFailed(client, message.id, unanswered, attachment.integrationId, deps);
}

/** Sends a request, once more if it was refused because its session is lost. @returns undefined once the client has its answer */
async function callAsItIs(
  { client, message, target, body }: TargetedCall,
  deps: CallIntegrationDeps,
): Promise<Unanswered | undefined> {
  const { call, session } = client;
  const { attachment } = target;
  const request = upstreamRequest(client, attachment, {
    isUse: true,
    envelope: envelopeFor(message, target),
    body,
    headers: headersFor(client, message, target),
  });
  const options = {
    id: message.id,
    integrationId: attachment.integrationId,
    changes: session && new IdsForClient(attachment.attachmentId),
    isCancelled: followCancellation(client, message, target, deps),
  };
  const send = (): UpstreamCall => {
    const sent = callUpstream(client, attachment, request, deps);
    call.onClose(() => sent.abort());
    return sent;
  };
  const pass = async (sent: UpstreamCall): Promise<Unanswered | undefined> => {
    const answer = await sent.answer;
    return answer.kind === 'answer' ? passAnswer(call, sent, answer, options) : answer;
  };
  const sent = send();
  const unanswered = await pass(sent);
  if (unanswered === undefined || session === undefined) return unanswered;
  if (!(await isRefusedInLostSession(unanswered, sent, client, attachment, deps)))
    return unanswered;
  return call.response.isGone ? undefined : pass(send());
}

/** Headers that repeat the request, not its cancellation. */
const NOT_THE_REQUEST = { 'mcp-method': undefined, 'mcp-name': undefined };

/** The response is read on its way. */
const PLAIN = { 'accept-encoding': 'identity' };

function headersFor(
  { call }: InSession,
  { ref, paramHeaders }: TargetedMessage,
  { named }: RequestTarget,
): ReplacingHeaders {
  const isRenamed = named !== undefined && call.inbound.mcpName !== undefined && ref === undefined;
  const name = isRenamed ? { 'mcp-name': encodedHeader(named.name) } : undefined;
  if (name === undefined && paramHeaders === undefined) return PLAIN;
  return { ...paramHeaders, ...name, ...PLAIN };
}

const neverCancelled = (): boolean => false;

/** A cancellation goes to the integration that has the request. @returns whether a legacy client has cancelled it since */
function followCancellation(
  client: InSession,
  { id }: TargetedMessage,
  { attachment }: RequestTarget,
  deps: CallIntegrationDeps,
): () => boolean {
  const { session, call } = client;
  const { clientRequests } = deps;
  if (session === undefined) return neverCancelled;
  const request = clientRequests.begin(session, id, (body = cancellationOf(id)) =>
    passMessage(client, attachment, { body, headers: NOT_THE_REQUEST }, deps),
  );
  call.onClose(() => clientRequests.end(request));
  return () => request.isCancelled;
}

function cancellationOf(id: string): Buffer {
  return Buffer.from(messageOf('notifications/cancelled', `{"requestId":${id}}`));
}

function answerFailed(
  { call }: InSession,
  id: string,
  failure: UpstreamFailure,
  integrationId: string,
  { publicUrl }: CallIntegrationDeps,
): void {
  const problem = problemOfRequest(failure);
  if (problem === undefined) call.reply(id, { error: failureError(failure, integrationId) });
  else call.refuse(withMcpChallenge(problem, call.request.url, publicUrl));
}

function ambiguous(): { error: RpcRefusal } {
  const message = 'The body repeats a key that may occur only once.';
  return { error: { code: INVALID_REQUEST, message } };
}

/** What exists stays unsaid. */
function unknown({ call }: InSession, { method, uri, name }: Message): { error: RpcRefusal } {
  if (method?.startsWith('resources/')) {
    const code = call.era === 'modern' ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
    return { error: { code, message: 'Resource not found.', data: { uri } } };
  }
  const kind = method === 'tools/call' ? 'tool' : 'prompt';
  const message = `Unknown ${kind}: ${name ?? ''}`;
  return { error: { code: INVALID_PARAMS, message } };
}
