import { type CreateTokenBody, refusalTexts } from '@gatehouse/contract';
import type { Token } from '../../generated/prisma/client.ts';
import { actorOfCaller } from '../../identity/caller.ts';
import { type Mutation, record } from '../../identity/mutation.ts';
import { createPersonalToken } from '../../identity/tokens.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfToken } from '../../sessions/revocation.ts';
import { eraseResponsesWithSecretOf } from '../stored-response-repository.ts';
import { deleteToken, useInvitation } from './repository.ts';
import { requireGrantable, revocableBy } from './rules.ts';

/** @throws ProblemError `forbidden`, `invitation_used`, `token_limit_reached`, `validation_failed` */
export async function createToken(
  { tx, actor }: Mutation,
  body: CreateTokenBody,
): Promise<{ token: Token; secret: string }> {
  requireGrantable(actor, body);
  const { organizationId, userId, via } = actor;
  const { name, scopes, expiresAt } = body;
  // Not in `check`: a replay must get its response even after that date.
  const expiry = expiresAt ? new Date(expiresAt) : null;
  if (expiry && expiry.getTime() <= Date.now()) {
    throw new ProblemError('validation_failed', refusalTexts.tokenExpired, {
      errors: [{ pointer: '/expiresAt', code: 'invalid', message: 'Must be in the future.' }],
    });
  }
  if (via.kind === 'invitation' && !(await useInvitation(tx.db, via.id))) {
    throw new ProblemError('invitation_used', 'This invitation has already been used.');
  }
  const wanted = { organizationId, userId, name, scopes, expiresAt: expiry };
  return createPersonalToken(tx, wanted, actorOfCaller(actor));
}

/** Also ends the sessions of the token, which announces the token. @throws ProblemError `not_found` */
export async function revokeToken(mutation: Mutation, id: string): Promise<void> {
  const { tx, actor } = mutation;
  const targetName = await deleteToken(tx.db, revocableBy(actor), id);
  if (targetName === undefined) {
    throw new ProblemError('not_found', 'There is no such token.');
  }
  await eraseResponsesWithSecretOf(tx.db, id);
  await revokeSessionsOfToken(tx, id);
  record(mutation, id, { action: 'token.revoked', targetName });
}
