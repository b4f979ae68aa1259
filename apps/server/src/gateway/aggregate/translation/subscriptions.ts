import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../mcp/errors.ts';
import { fieldsOf } from '../../../mcp/server/messages.ts';
import { failed } from '../../../mcp/server/reply.ts';
import type { ReadMessage } from '../../../mcp/translation/message-reader.ts';
import { errorCodeOf, toLegacyResponse } from '../../../mcp/translation/responses.ts';
import { kindOf } from '../../../mcp/translation/server-messages.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import { timedOut } from '../../problems.ts';
import type { InSession } from '../client-call.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { Unanswered } from '../upstream-answer.ts';
import { callUpstream } from '../upstream-calls.ts';
import { listenRequest } from '../upstream-request.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { UpstreamMessages } from './upstream-messages.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Milliseconds in which an upstream acknowledges. */
const WITHIN = 10_000;

/** Bytes of an acknowledgement. */
const MAX_ACKNOWLEDGEMENT = 64 * 1024;

/**
 * `resources/subscribe` of a legacy client at a modern upstream. The upstream is asked whether it would tell of the resource,
 * by a `subscriptions/listen` that ends with its acknowledgement; the streams of the session hear of it from then on.
 *
 * @returns undefined once the client has its answer
 */
export async function subscribe(
  given: TranslatedCall,
  session: AggregateSession,
  deps: TranslationDeps,
): Promise<Unanswered | undefined> {
  const { client, message: request, target } = given;
  const { call } = client;
  const { id, method = '', uri = '' } = request;
  const ownId = JSON.stringify(ownRequestId());
  const filter = { id: ownId, notifications: { resourceSubscriptions: [uri] }, isOwn: false };
  const listen = listenRequest(client, target.attachment, session, filter);
  const sent = callUpstream(client, target.attachment, listen, deps);
  call.onClose(() => sent.abort());
  const late = AbortSignal.timeout(WITHIN);
  late.addEventListener('abort', () => sent.abort());
  const messages = new UpstreamMessages(sent, { call, era: 'modern' });
  for await (const message of messages) {
    const kind = kindOf(message);
    if (kind?.kind === 'notification' && kind.method === ACKNOWLEDGED) {
      sent.abort();
      await answerAcknowledged(given, session, isAgreed(message, uri), deps);
      return undefined;
    }
    if (kind?.kind !== 'response' || (kind.id !== ownId && kind.id !== 'null')) continue;
    const code = errorCodeOf(message);
    const pass = (): void => call.answerBytes(toLegacyResponse(message, { id, method }));
    if (code !== undefined) return { kind: 'error', status: messages.status, code, pass };
    pass();
    return undefined;
  }
  if (call.response.isGone) return undefined;
  return late.aborted ? { kind: 'problem', problem: timedOut() } : messages.failure;
}

function isAgreed({ bytes }: ReadMessage, uri: string): boolean {
  if (bytes.length > MAX_ACKNOWLEDGEMENT) return false;
  const { notifications } = fieldsOf(fieldsOf(JSON.parse(bytes.toString())).params);
  const { resourceSubscriptions: agreed } = fieldsOf(notifications);
  return Array.isArray(agreed) && agreed.includes(uri);
}

async function answerAcknowledged(
  { client, message: { id, uri = '' }, target }: TranslatedCall,
  session: AggregateSession,
  isAgreed: boolean,
  { sessions }: Pick<TranslationDeps, 'sessions'>,
): Promise<void> {
  const { call } = client;
  if (!isAgreed) {
    call.reply(id, failed(METHOD_NOT_FOUND, 'The integration has no subscriptions to resources.'));
    return;
  }
  const { attachmentId } = target.attachment;
  const isStored = await sessions.aggregates.subscribe(session, attachmentId, uri);
  const full = failed(INVALID_PARAMS, 'The session has too many subscriptions.');
  call.reply(id, isStored ? { result: {} } : full);
}

/** Ends a subscription at a modern integration. One that does not exist is no error, as with most servers. */
export async function unsubscribe(
  { call }: Pick<InSession, 'call'>,
  session: AggregateSession,
  attachmentId: string,
  { id, uri = '' }: Pick<TranslatedCall['message'], 'id' | 'uri'>,
  { sessions }: Pick<TranslationDeps, 'sessions'>,
): Promise<void> {
  await sessions.aggregates.unsubscribe(session, attachmentId, uri);
  call.reply(id, { result: {} });
}
