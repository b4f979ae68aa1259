import type { AuditEvent } from '../../audit/event.ts';
import { findEvent } from '../../audit/find-events.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';

/** @throws ProblemError `not_found` */
export async function requireEvent(
  db: Db,
  { organizationId }: PersonCaller,
  id: string,
): Promise<AuditEvent> {
  const event = await findEvent(db, organizationId, id);
  if (event !== undefined) return event;
  throw new ProblemError('not_found', 'There is no such event.');
}
