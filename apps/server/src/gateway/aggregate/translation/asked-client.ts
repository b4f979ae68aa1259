import { dependenciesOf, subjectIdOf } from '../../../identity/caller.ts';
import { rowKey } from '../../../platform/changes/changes.ts';
import { readmitTo } from '../../admission.ts';
import { sessionEnded } from '../../problems.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { InSession } from '../client-call.ts';
import type { TranslationDeps } from './translated-call.ts';

/** What the permission of a client to answer an integration rests on. */
export function rowsOfAsked(
  { caller, application, session }: InSession,
  { integrationId }: AggregateAttachment,
): readonly string[] {
  const changes = [
    ...dependenciesOf(caller),
    { kind: 'application', id: application.id },
    { kind: 'integration', id: integrationId },
    { kind: 'connection', id: `${integrationId}:${subjectIdOf(caller)}` },
    { kind: 'session', id: session?.id ?? '' },
  ] as const;
  return changes.map(rowKey);
}

/**
 * Admits a client again that is being asked. A missing credential does not end its call: the person may connect before
 * they answer, and the call is refused then if they have not.
 *
 * @throws ProblemError if it is not let in any more
 */
export async function readmitAsked(
  client: InSession,
  { key, attachmentId }: AggregateAttachment,
  { readmit, routeDeps }: Pick<TranslationDeps, 'readmit' | 'routeDeps'>,
): Promise<void> {
  const { caller } = await readmit(client);
  const { route } = await readmitTo(routeDeps, caller, key);
  if (route.attachmentId !== attachmentId) throw sessionEnded();
}
