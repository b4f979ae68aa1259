import { INVALID_REQUEST } from '../../../mcp/errors.ts';
import { failed } from '../../../mcp/server/reply.ts';
import { type ReadMessage, readMessage } from '../../../mcp/translation/message-reader.ts';
import { REQUEST } from '../../../mcp/translation/places.ts';
import { LegacyUpstreamCall } from './legacy-upstream-call.ts';
import { withLogLevel } from './log-level.ts';
import { declaredBy } from './modern-client.ts';
import { ModernUpstreamCall } from './modern-upstream-call.ts';
import { SubscribeCall } from './subscribe-call.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';
import { unsubscribe } from './unsubscribe.ts';

/** Sends a request to an integration of the other era, and translates what comes back. */
export function callTranslated(
  given: TranslatedCall,
  deps: TranslationDeps,
): undefined | Promise<void> {
  const { client, message, body, target } = given;
  const { session } = client;
  if (session !== undefined && message.method === 'resources/subscribe') {
    new SubscribeCall(given, session, deps).start();
    return undefined;
  }
  if (session !== undefined && message.method === 'resources/unsubscribe') {
    return unsubscribe(client, session, target.attachment.attachmentId, message, deps);
  }
  const request = readMessage(body, REQUEST);
  if (request instanceof Promise) return request.then((read) => callRead(given, read, deps));
  return callRead(given, request, deps);
}

function callRead(
  given: TranslatedCall,
  request: ReadMessage | undefined,
  deps: TranslationDeps,
): undefined | Promise<void> {
  const { client, side, message } = given;
  const { session } = client;
  if (request === undefined) {
    const reason = 'The body repeats a key that may occur only once.';
    client.call.reply(message.id, failed(INVALID_REQUEST, reason), 400);
  } else if (side.era === 'legacy') {
    const declared = declaredBy(request);
    const start = (logging: TranslatedCall): void => {
      if (client.call.res.destroyed) return;
      new LegacyUpstreamCall(logging, request, declared, deps).start();
    };
    const logging = withLogLevel(given, declared, deps);
    if (logging instanceof Promise) return logging.then(start);
    start(logging);
  } else if (session !== undefined) new ModernUpstreamCall(given, request, session, deps).start();
  return undefined;
}
