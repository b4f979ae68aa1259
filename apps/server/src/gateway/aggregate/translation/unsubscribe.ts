import type { AggregateSession } from '../../../sessions/sessions.ts';
import type { InSession } from '../client-call.ts';
import type { TranslatedCall, TranslationDeps } from './translated-call.ts';

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
