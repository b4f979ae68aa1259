import { endGrant as endGrantRow } from '../../identity/grants/end-grant.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';
import { endableBy } from './policy.ts';

/** Also ends the sessions that are the grant's activity, which announces it. @throws ProblemError `not_found` */
export async function endGrant({ tx, actor }: Mutation, id: string): Promise<void> {
  if (!(await endGrantRow(tx.db, endableBy(actor), id))) {
    throw new ProblemError('not_found', 'There is no such grant.');
  }
  await revokeSessionsOfToken(tx, id);
}
