import { limits } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { Precondition } from '../../http/etag.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { type ProblemDetail, ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfAttachments } from '../../sessions/revocation.ts';
import {
  deleteAttachments,
  holdIntegrations,
  insertAttachments,
  integrationExists,
  listAttachments,
} from './repository.ts';
import { change, lockForChange, requireActive } from './service.ts';

/** The ids of the attached integrations in the order of attaching. */
export async function listIntegrationIds(db: Db, applicationId: string): Promise<string[]> {
  const attached = await listAttachments(db, applicationId);
  return attached.map(({ integrationId }) => integrationId);
}

/** @throws ProblemError `not_found` for an integration that the organization does not have */
export async function requireIntegration(db: Db, actor: Actor, id: string): Promise<void> {
  if (await integrationExists(db, actor.organizationId, id)) return;
  throw noSuchIntegration();
}

/**
 * Replaces the set, all or nothing. What is attached already stays as it is, archived or not.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `validation_failed`
 */
export async function setIntegrations(
  tx: Tx,
  actor: Actor,
  id: string,
  integrationIds: readonly string[],
  requireMatch: Precondition,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  requireMatch(application.version);
  requireActive(application);
  const attached = await listAttachments(tx.db, id);
  const present = new Set(attached.map(({ integrationId }) => integrationId));
  const wanted = new Set(integrationIds);
  const added = [...wanted].filter((integrationId) => !present.has(integrationId));
  const removed = attached.filter(({ integrationId }) => !wanted.has(integrationId));
  if (added.length > 0) await requireAttachable(tx.db, actor, integrationIds, new Set(added));
  if (added.length === 0 && removed.length === 0) return application;
  await detach(tx, application, removed);
  await insertAttachments(tx.db, application, added);
  return change(tx, application);
}

/**
 * Attaching what is attached already changes nothing.
 *
 * @throws ProblemError `not_found`, `archived`, `attachment_limit_reached`
 */
export async function attachIntegration(
  tx: Tx,
  actor: Actor,
  id: string,
  integrationId: string,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  const held = await holdIntegrations(tx.db, actor.organizationId, [integrationId]);
  const integration = held.get(integrationId);
  if (!integration) throw noSuchIntegration();
  requireActive(application);
  const attached = await listIntegrationIds(tx.db, id);
  if (attached.includes(integrationId)) return application;
  if (integration.archivedAt) {
    throw new ProblemError('archived', 'The integration is archived. Restore it first.');
  }
  if (attached.length >= limits.attachedIntegrations) {
    throw new ProblemError(
      'attachment_limit_reached',
      `An application can have at most ${limits.attachedIntegrations} attached integrations.`,
    );
  }
  await insertAttachments(tx.db, application, [integrationId]);
  return change(tx, application);
}

/**
 * Detaching what is not attached changes nothing.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`
 */
export async function detachIntegration(
  tx: Tx,
  actor: Actor,
  id: string,
  integrationId: string,
  requireMatch: Precondition,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  await requireIntegration(tx.db, actor, integrationId);
  requireMatch(application.version);
  requireActive(application);
  const attached = await listAttachments(tx.db, id);
  const removed = attached.filter((attachment) => attachment.integrationId === integrationId);
  if (removed.length === 0) return application;
  await detach(tx, application, removed);
  return change(tx, application);
}

async function detach(
  tx: Tx,
  { id: applicationId }: Application,
  removed: readonly { readonly id: string }[],
): Promise<void> {
  if (removed.length === 0) return;
  const ids = removed.map(({ id }) => id);
  await deleteAttachments(tx.db, ids);
  await revokeSessionsOfAttachments(tx, applicationId, ids);
}

/** Names every fault of the list at the position it was sent at. */
async function requireAttachable(
  db: Db,
  { organizationId }: Actor,
  integrationIds: readonly string[],
  added: ReadonlySet<string>,
): Promise<void> {
  const found = await holdIntegrations(db, organizationId, [...added]);
  const errors = integrationIds.flatMap((id, index): ProblemDetail[] => {
    if (!added.has(id)) return [];
    const pointer = `/integrationIds/${index}`;
    const integration = found.get(id);
    if (!integration) return [{ pointer, code: 'not_found', message: 'No such integration.' }];
    if (!integration.archivedAt) return [];
    return [{ pointer, code: 'archived', message: 'The integration is archived.' }];
  });
  if (errors.length === 0) return;
  throw new ProblemError('validation_failed', 'Some of the integrations cannot be attached.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}

function noSuchIntegration(): ProblemError {
  return new ProblemError('not_found', 'There is no such integration.');
}
