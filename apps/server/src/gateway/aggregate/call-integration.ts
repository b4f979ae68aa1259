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
import { isEraRefusal, mayBeOfOtherEra } from './era-refusal.ts';
import { failureError, problemOfRequest } from './failure-reply.ts';
import type { AggregateLists } from './lists/lists.ts';
import { isSessionLost, mayBeOfLostSession } from './lists/lost-sessions.ts';
import { passMessage } from './pass-message.ts';
import { type AnsweredError, PassedResponse } from './passed-response.ts';
import { changesOf } from './server-request-ids.ts';
import { envelopeFor, findTarget, type RequestTarget } from './target.ts';
import { callTranslated } from './translation/call-translated.ts';
import type { TranslatedCall, TranslationDeps } from './translation/translated-call.ts';
import { unsubscribe } from './translation/unsubscribe.ts';
import { startUpstreamCall } from './upstream-calls.ts';
import { upstreamRequest } from './upstream-request.ts';
import { isSessionForgotten, type UpstreamFailure } from './upstream-response.ts';
import { isOtherNow, sideOfAttachment, type UpstreamSide } from './upstream-side.ts';

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
export function callIntegration(
  client: InSession,
  message: TargetedMessage,
  body: Buffer,
  deps: CallIntegrationDeps,
): void {
  const refuse = (error: unknown): void => client.call.refuse(error);
  const { session } = client;
  if (session !== undefined && message.method === 'resources/unsubscribe') {
    // The resource may not be listed any more.
    const attachmentId = attachmentSubscribedTo(session, message.uri ?? '');
    if (attachmentId !== undefined) {
      unsubscribe(client, session, attachmentId, message, deps).catch(refuse);
      return;
    }
  }
  const send = (target: RequestTarget, own: Buffer | undefined): void => {
    if (own === undefined) client.call.reply(message.id, ambiguous(), 400);
    else sendInItsEra(client, message, target, own, deps);
  };
  const prepare = (target: RequestTarget | undefined): undefined | Promise<void> => {
    if (target === undefined) {
      client.call.reply(message.id, unknown(client, message));
      return undefined;
    }
    const own = ownBody(body, target);
    if (own instanceof Promise) return own.then((read) => send(target, read));
    send(target, own);
    return undefined;
  };
  const target = findTarget(client, message, deps.lists);
  if (target instanceof Promise) target.then(prepare).catch(refuse);
  else prepare(target)?.catch(refuse);
}

/** The body for the integration, which knows the tool or prompt by its own name. */
function ownBody(body: Buffer, { named }: RequestTarget): ReturnType<typeof withoutExtensions> {
  const own = named === undefined ? body : rewriteName(body, named.at, named.name);
  return withoutExtensions(own);
}

/**
 * In the client's era the request goes as it is; an integration that does not speak it gets a translation.
 *
 * @param mayRepeat in the other era, if the integration turns out to speak only that one now
 */
function sendInItsEra(
  client: InSession,
  message: TargetedMessage,
  target: RequestTarget,
  body: Buffer,
  deps: CallIntegrationDeps,
  mayRepeat = true,
): void {
  const { attachment } = target;
  const refuse = (error: unknown): void => client.call.refuse(error);
  const send = (side: UpstreamSide): void => {
    const onRefused = (pass: () => void): void => {
      const goOn = (isOther: boolean): void =>
        isOther ? sendInItsEra(client, message, target, body, deps, false) : pass();
      if (mayRepeat) isOtherNow(client, attachment, side.era, deps).then(goOn).catch(refuse);
      else pass();
    };
    const onFailed = (failure: UpstreamFailure): void => {
      const answer = (): void =>
        answerFailed(client, message.id, failure, attachment.integrationId, deps);
      if (mayBeOfOtherEra(failure)) onRefused(answer);
      else answer();
    };
    if (side.era === client.call.era) {
      sendTo(client, message, target, body, { onRefused, onFailed }, deps);
      return;
    }
    const given = { client, side, target, message, body, onRefused, onFailed };
    callTranslated(given, deps)?.catch(refuse);
  };
  sideOfAttachment(client, attachment, deps).then(send).catch(refuse);
}

/** @param repeated whether the client has cancelled a request that is sent again */
function sendTo(
  client: InSession,
  message: TargetedMessage,
  target: RequestTarget,
  body: Buffer,
  { onRefused, onFailed }: Pick<TranslatedCall, 'onRefused' | 'onFailed'>,
  deps: CallIntegrationDeps,
  repeated?: () => boolean,
): void {
  const { call, session } = client;
  const { attachment } = target;
  const isCancelled = repeated ?? followCancellation(client, message, target, deps);
  const request = upstreamRequest(client, attachment, {
    isUse: true,
    envelope: envelopeFor(message, target),
    body,
    headers: headersFor(client, message, target),
  });
  const repeat = (): void =>
    sendTo(client, message, target, body, { onRefused, onFailed }, deps, isCancelled);
  /** Sends it once more if the session is lost that it was refused in. */
  const repeatIfLost = (pass: () => void): void => {
    const goOn = (isLost: boolean): void => {
      if (!isLost) pass();
      else if (!call.res.destroyed) repeat();
    };
    isSessionLost(sent, client, attachment, deps)
      .then(goOn)
      .catch((error) => call.refuse(error));
  };
  const isInSession = session !== undefined && repeated === undefined;
  const takeError = ({ status, code }: AnsweredError, pass: () => void): void => {
    if (isEraRefusal(status, code, call.era)) onRefused(pass);
    else if (isInSession && mayBeOfLostSession(status, code)) repeatIfLost(pass);
    else pass();
  };
  const takeFailure = (failure: UpstreamFailure): void => {
    const fail = (): void => onFailed(failure);
    const isStatus = isInSession && failure.kind === 'status';
    if (isStatus && isSessionForgotten(failure)) repeat();
    else if (isStatus && mayBeOfLostSession(failure.status, undefined)) repeatIfLost(fail);
    else fail();
  };
  const response = new PassedResponse(call.res, {
    id: message.id,
    era: call.era,
    integrationId: attachment.integrationId,
    changes: session && changesOf(attachment),
    isCancelled,
    keepOfBody: (bytes) => call.keepOfBody(bytes),
    onError: takeError,
    onFailed: takeFailure,
  });
  const sent = startUpstreamCall(client, attachment, request, response, deps);
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
  const cancelled = Buffer.from(messageOf('notifications/cancelled', `{"requestId":${id}}`));
  const request = clientRequests.begin(session, id, (body = cancelled) =>
    passMessage(client, attachment, { body, headers: NOT_THE_REQUEST }, deps),
  );
  call.onClose(() => clientRequests.end(request));
  return () => request.isCancelled;
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
  else call.refuse(withMcpChallenge(problem, call.req.url, publicUrl));
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
