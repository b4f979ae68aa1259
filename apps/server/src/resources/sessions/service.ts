import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { SessionRevoker } from '../../sessions/sessions.ts';
import { requireApplication } from '../applications/service.ts';

/** Revokes a session of an application that the caller can see. @throws ProblemError `not_found` */
export async function revokeSession(
  { tx, actor }: Mutation,
  { sessions }: { readonly sessions: SessionRevoker },
  applicationId: string,
  id: string,
): Promise<void> {
  await requireApplication(tx.db, actor, applicationId);
  if (await sessions.revoke(tx, { id, applicationId })) return;
  throw new ProblemError('not_found', 'The application has no such session.');
}
