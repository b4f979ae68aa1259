import { failed } from '../../../mcp/server/reply.ts';
import { type ReadMessage, readMessage } from '../../../mcp/translation/message-reader.ts';
import { REQUEST } from '../../../mcp/translation/places.ts';
import { LegacyUpstreamCall } from './legacy-upstream-call.ts';
import { withLogLevel } from './log-level.ts';
import { declaredBy } from './modern-client.ts';
import { ModernUpstreamCall } from './modern-upstream-call.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** Of the legacy era alone: the other one has `subscriptions/listen`. */
const UNTRANSLATED: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** Sends a request to an integration of the other era, and translates what comes back. */
export function callTranslated(
  given: TranslatedCall,
  deps: TranslationDeps,
): undefined | Promise<void> {
  const { client, message, body } = given;
  if (UNTRANSLATED.has(message.method ?? '')) {
    client.call.reply(message.id, failed(METHOD_NOT_FOUND, 'Method not found.'));
    return undefined;
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
