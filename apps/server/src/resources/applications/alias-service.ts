import type { UpdateAttachedIntegrationBody } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import { type Mutation, requireMatch } from '../../identity/mutation.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { requireIntegration } from '../integrations/service.ts';
import { listAttachments, updateAlias } from './attachment-repository.ts';
import type { AttachmentIds } from './policy-service.ts';
import { requireActive } from './rules.ts';
import { lockApplication, writeApplication } from './service.ts';

/**
 * Changes the alias of an attached integration. The application is locked, so that no other write takes the alias meanwhile.
 *
 * @throws ProblemError `not_found`, also for an integration that is not attached, `precondition_failed`, `archived`,
 *   `alias_taken`
 */
export async function updateAttachedIntegration(
  mutation: Mutation,
  { id, integrationId }: AttachmentIds,
  { alias }: UpdateAttachedIntegrationBody,
): Promise<Application> {
  const { tx, actor } = mutation;
  const current = await lockApplication(mutation, id);
  await requireIntegration(tx.db, actor, integrationId);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const attachment = attached.find((one) => one.integrationId === integrationId);
  if (attachment === undefined) {
    throw new ProblemError('not_found', 'The integration is not attached to the application.');
  }
  if (alias === undefined || alias === attachment.alias) return current;
  if (attached.some((one) => one.alias === alias)) throw aliasTaken();
  await updateAlias(tx.db, attachment.id, alias);
  const changes = [{ field: 'alias', from: attachment.alias, to: alias }] as const;
  const event = { action: 'application.integration_updated', integrationId, changes } as const;
  return writeApplication(mutation, id, {}, event);
}

function aliasTaken(): ProblemError {
  return new ProblemError('alias_taken', 'Another integration of the application has this alias.', {
    errors: [{ pointer: '/alias', code: 'taken', message: 'Another integration has this alias.' }],
  });
}
