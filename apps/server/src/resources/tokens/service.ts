import type { CreateTokenBody } from '@gatehouse/contract';
import type { Token } from '../../generated/prisma/client.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { createPersonalToken } from '../../identity/personal-token.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';
import { eraseResponsesWithSecretOf } from '../stored-response-repository.ts';
import { requireGrantable, revocableBy } from './policy.ts';
import { deleteToken, useInvitation } from './repository.ts';

/** @throws ProblemError `forbidden`, `invitation_used`, `token_limit_reached`, `validation_failed` */
export async function createToken(
  { tx: { db }, actor }: Mutation,
  body: CreateTokenBody,
): Promise<{ token: Token; secret: string }> {
  requireGrantable(actor, body);
  const { name, scopes, expiresAt } = body;
  // Not in `check`: a replay must get its response even after that date.
  const expiry = expiresAt ? new Date(expiresAt) : null;
  if (expiry && expiry.getTime() <= Date.now()) {
    throw new ProblemError(
      'validation_failed',
      'The token would already be expired. Choose a later expiresAt.',
      {
        errors: [{ pointer: '/expiresAt', code: 'invalid', message: 'Must be in the future.' }],
      },
    );
  }
  if (actor.tokenKind === 'invitation' && !(await useInvitation(db, actor.tokenId))) {
    throw new ProblemError('invitation_used', 'This invitation has already been used.');
  }
  const { organizationId, userId } = actor;
  return createPersonalToken(db, { organizationId, userId, name, scopes, expiresAt: expiry });
}

/** Also ends the sessions of the token, which announces the token. @throws ProblemError `not_found` */
export async function revokeToken({ tx, actor }: Mutation, id: string): Promise<void> {
  if (!(await deleteToken(tx.db, revocableBy(actor), id))) {
    throw new ProblemError('not_found', 'There is no such token.');
  }
  await eraseResponsesWithSecretOf(tx.db, id);
  await revokeSessionsOfToken(tx, id);
}
