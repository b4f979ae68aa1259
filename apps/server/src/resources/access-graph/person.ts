import { type AccessGraphQuery, policyReferenceMessages } from '@gatehouse/contract';
import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { PolicyPerson } from '../../policy/people-rules.ts';
import { findPerson, hasGroup } from './repository.ts';

/** Matches no `userIds`: who is described by role and group has no account. */
const NO_ACCOUNT = '';

/** The person that a query asks about, or the caller. @throws ProblemError `validation_failed` */
export async function requirePerson(
  db: Db,
  caller: PersonCaller,
  { forUserId, forGroup, forRole }: AccessGraphQuery,
): Promise<PolicyPerson> {
  const { organizationId } = caller;
  if (forUserId !== undefined) {
    const person = await findPerson(db, organizationId, forUserId);
    if (person !== undefined) return person;
    throw unknown('forUserId', policyReferenceMessages.user);
  }
  if (forGroup === undefined && forRole === undefined) return caller;
  if (forGroup !== undefined && !(await hasGroup(db, organizationId, forGroup))) {
    throw unknown('forGroup', policyReferenceMessages.group);
  }
  return {
    kind: 'person',
    userId: NO_ACCOUNT,
    role: forRole ?? 'member',
    groupIds: forGroup === undefined ? [] : [forGroup],
  };
}

function unknown(parameter: string, message: string): ProblemError {
  return new ProblemError('validation_failed', 'The access graph is for someone unknown.', {
    errors: [{ parameter, code: 'not_found', message }],
  });
}
