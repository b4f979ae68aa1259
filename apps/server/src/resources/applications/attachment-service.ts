import { aliasFor, limits } from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import { type Mutation, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { type ProblemDetail, ProblemError } from '../../platform/problem-error.ts';
import { type LockedIntegration, lockIntegrationRowsForShare } from '../integrations/repository.ts';
import { requireActive as requireActiveIntegration } from '../integrations/rules.ts';
import { lockIntegrationForShare, requireIntegration } from '../integrations/service.ts';
import { type AttachmentRow, insertAttachments, listAttachments } from './attachment-repository.ts';
import { detachIntegrations } from './ending.ts';
import { requireActive, requireMayAttach } from './rules.ts';
import { lockApplication, writeApplication } from './service.ts';

/** An application, and the origin under which its integrations are reached. */
export interface AddressedApplication {
  readonly id: string;
  readonly publicUrl: string;
}

/** The ids of the attached integrations, in the order in which they were attached. */
export async function listIntegrationIds(db: Db, applicationId: string): Promise<string[]> {
  const attached = await listAttachments(db, applicationId);
  return attached.map(({ integrationId }) => integrationId);
}

/**
 * Replaces the whole set or nothing. An integration that is attached already stays, archived or not.
 * Returns the ids in the order in which they were attached.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `forbidden`, `validation_failed`
 */
export async function setIntegrations(
  mutation: Mutation,
  { id, publicUrl }: AddressedApplication,
  integrationIds: readonly string[],
): Promise<{ application: Application; integrationIds: string[] }> {
  const { tx } = mutation;
  const current = await lockApplication(mutation, id);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const before = new Set(attached.map(({ integrationId }) => integrationId));
  const after = new Set(integrationIds);
  const added = [...after].filter((integrationId) => !before.has(integrationId));
  const removed = attached.filter(({ integrationId }) => !after.has(integrationId));
  const integrations =
    added.length === 0
      ? []
      : await requireAttachable(mutation, current, integrationIds, new Set(added));
  if (added.length === 0 && removed.length === 0) {
    return { application: current, integrationIds: [...before] };
  }
  await detachIntegrations(tx, { id, publicUrl }, removed);
  const kept = attached.filter(({ integrationId }) => after.has(integrationId));
  await insertAttachments(tx.db, current, withAliases(integrations, kept));
  const application = await writeAttachments(mutation, id, {
    attached: added,
    detached: removed.map(({ integrationId }) => integrationId),
  });
  return { application, integrationIds: await listIntegrationIds(tx.db, id) };
}

/**
 * Changes nothing when the integration is attached already.
 *
 * @throws ProblemError `not_found`, `forbidden`, `archived`, `attachment_limit_reached`
 */
export async function attachIntegration(
  mutation: Mutation,
  id: string,
  integrationId: string,
): Promise<Application> {
  const { tx, actor } = mutation;
  const current = await lockApplication(mutation, id);
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireMayAttach(actor, current, [integration]);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  if (attached.some((attachment) => attachment.integrationId === integrationId)) return current;
  requireActiveIntegration(integration);
  if (attached.length >= limits.attachedIntegrations) {
    throw new ProblemError(
      'attachment_limit_reached',
      `An application can have at most ${limits.attachedIntegrations} attached integrations.`,
    );
  }
  await insertAttachments(tx.db, current, withAliases([integration], attached));
  return writeAttachments(mutation, id, { attached: [integrationId], detached: [] });
}

/**
 * Changes nothing when the integration is not attached.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`
 */
export async function detachIntegration(
  mutation: Mutation,
  { id, publicUrl }: AddressedApplication,
  integrationId: string,
): Promise<Application> {
  const { tx, actor } = mutation;
  const current = await lockApplication(mutation, id);
  await requireIntegration(tx.db, actor, integrationId);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const attached = await listAttachments(tx.db, id);
  const removed = attached.filter((attachment) => attachment.integrationId === integrationId);
  if (removed.length === 0) return current;
  await detachIntegrations(tx, { id, publicUrl }, removed);
  return writeAttachments(mutation, id, { attached: [], detached: [integrationId] });
}

/** Each with an alias that neither another of them nor an attachment that stays has. */
function withAliases(
  integrations: readonly { readonly id: string; readonly name: string }[],
  kept: readonly AttachmentRow[],
): Omit<AttachmentRow, 'id'>[] {
  const taken = new Set(kept.map(({ alias }) => alias));
  return integrations.map(({ id, name }) => {
    const alias = aliasFor(name, taken);
    taken.add(alias);
    return { integrationId: id, alias };
  });
}

/** Writes the next version of an application after its integrations have changed. */
function writeAttachments(
  mutation: Mutation,
  id: string,
  changed: { readonly attached: readonly string[]; readonly detached: readonly string[] },
): Promise<Application> {
  const event = { action: 'application.integrations_changed', ...changed } as const;
  return writeApplication(mutation, id, {}, event);
}

/**
 * Locks the added integrations, and reports each one that cannot be attached at its position in the body.
 *
 * @returns them in the order of the body
 */
async function requireAttachable(
  { tx, actor }: Mutation,
  application: Application,
  integrationIds: readonly string[],
  added: ReadonlySet<string>,
): Promise<LockedIntegration[]> {
  const found = await lockIntegrationRowsForShare(tx.db, actor.organizationId, [...added]);
  requireMayAttach(actor, application, found.values());
  const errors = integrationIds.flatMap((id, index): ProblemDetail[] => {
    if (!added.has(id)) return [];
    const pointer = `/integrationIds/${index}`;
    const integration = found.get(id);
    if (!integration) {
      return [{ pointer, code: 'not_found', message: 'There is no such integration.' }];
    }
    if (integration.archivedAt === null) return [];
    return [{ pointer, code: 'archived', message: 'The integration is archived.' }];
  });
  if (errors.length === 0) return [...added].flatMap((id) => found.get(id) ?? []);
  throw new ProblemError('validation_failed', 'Some of the integrations cannot be attached.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}
