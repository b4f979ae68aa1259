import { INVALID_REQUEST } from '../../../mcp/errors.ts';
import { failed } from '../../../mcp/server/reply.ts';
import { readMessage } from '../../../mcp/translation/message-reader.ts';
import { REQUEST } from '../../../mcp/translation/shapes.ts';
import type { Unanswered } from '../upstream-answer.ts';
import { LegacyUpstreamCall } from './legacy-upstream-call.ts';
import { withLogLevel } from './log-level.ts';
import { declaredBy } from './modern-client.ts';
import { ModernUpstreamCall } from './modern-upstream-call.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';

/**
 * Sends a request to an integration of the other era, and translates its answer.
 *
 * @returns undefined once the client has its answer
 */
export async function callTranslated(
  given: TranslatedCall,
  deps: TranslationDeps,
): Promise<Unanswered | undefined> {
  const { client, side, message, body, target } = given;
  const { session, call } = client;
  if (session !== undefined && message.method === 'resources/subscribe') {
    return subscribe(given, session, deps);
  }
  if (session !== undefined && message.method === 'resources/unsubscribe') {
    await unsubscribe(client, session, target.attachment.attachmentId, message, deps);
    return undefined;
  }
  const request = await readMessage(body, REQUEST);
  if (request === undefined) {
    const reason = 'The body repeats a key that may occur only once.';
    call.reply(message.id, failed(INVALID_REQUEST, reason), 400);
    return undefined;
  }
  if (side.era === 'modern') {
    return session && new ModernUpstreamCall(given, request, session, deps).run();
  }
  const declared = declaredBy(request);
  const logging = await withLogLevel(given, declared, deps);
  if (call.response.isGone) return undefined;
  return new LegacyUpstreamCall(logging, request, declared, deps).run();
}
