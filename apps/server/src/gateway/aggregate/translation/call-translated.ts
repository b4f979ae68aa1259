import { requestText } from '../../../mcp/client/messages.ts';
import { INVALID_REQUEST } from '../../../mcp/errors.ts';
import { isHeard } from '../../../mcp/log-levels.ts';
import { failed } from '../../../mcp/server/reply.ts';
import { readMessage } from '../../../mcp/translation/message-reader.ts';
import { REQUEST } from '../../../mcp/translation/shapes.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import type { AggregateSession } from '../../../sessions/sessions.ts';
import type { AggregateAttachment } from '../applications.ts';
import { begunAttachments } from '../client-session.ts';
import { askUpstream } from '../lists/lost-sessions.ts';
import { ownRequestId } from '../server-request-ids.ts';
import type { Unanswered } from '../upstream-answer.ts';
import { LegacyUpstreamCall } from './legacy-upstream-call.ts';
import { type Declared, declaredBy } from './modern-client.ts';
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

const METHOD = 'logging/setLevel';

/** Milliseconds that a call waits for the upstream to take the level. */
const TAKEN_WITHIN = 1_000;

/**
 * The call, in a session that logs what its client wants to hear. The clients of one token share the session: it has the
 * most verbose level that one of them has named, and each call filters what it gets.
 */
async function withLogLevel(
  given: TranslatedCall,
  { logLevel }: Pick<Declared, 'logLevel'>,
  deps: TranslationDeps,
): Promise<TranslatedCall> {
  const { session } = given.side;
  if (session === undefined || logLevel === undefined) return given;
  if (session.logLevel !== undefined && isHeard(logLevel, session.logLevel)) return given;
  try {
    await deps.sessions.aggregates.setLogLevel(session, logLevel);
  } catch (error) {
    // It has ended: the call says so.
    if (error instanceof ProblemError) return given;
    throw error;
  }
  const logging = { ...session, logLevel };
  await tellBegun(given, logging, deps);
  return { ...given, side: { ...given.side, session: logging } };
}

/** Sessions that begin later begin with it. */
async function tellBegun(
  { client, target }: TranslatedCall,
  session: AggregateSession & { readonly logLevel: string },
  deps: TranslationDeps,
): Promise<void> {
  const inSession = { ...client, session };
  const tell = (attachment: AggregateAttachment) => {
    const id = ownRequestId();
    const params = { level: session.logLevel };
    const body = Buffer.from(requestText(id, { method: METHOD, params }));
    const until = performance.now() + TAKEN_WITHIN;
    return askUpstream(
      inSession,
      attachment,
      { id, method: METHOD, body, era: 'legacy', until },
      deps,
    );
  };
  const told = (await begunAttachments(inSession, deps)).map((attachment) => {
    const taken = tell(attachment);
    return attachment.attachmentId === target.attachment.attachmentId ? taken : undefined;
  });
  await Promise.all(told);
}
