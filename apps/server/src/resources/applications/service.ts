import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  changedAggregate,
  type EventDetails,
  keptLimits,
  type ParsedCreateApplicationBody,
  type RevokedAccess,
  secretPrefixes,
  type UpdateApplicationBody,
  type UpdateApplicationOauthBody,
} from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { endAccessOfApplication } from '../../identity/grants/end-access.ts';
import { type Mutation, record, requireMatch } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeAndCount } from '../../sessions/revocation.ts';
import type { SessionAdmin } from '../../sessions/shown-session.ts';
import { changedFields } from '../changed-fields.ts';
import { eraseResponsesWithSecretOf } from '../stored-response-repository.ts';
import {
  aggregateColumnsOf,
  aggregateOf,
  eventFieldsOf,
  limitColumnsOf,
  limitsOf,
  mergeOauth,
  oauthOf,
} from './columns.ts';
import { endApplication, endForSettings } from './ending.ts';
import {
  type ApplicationChange,
  findApplication,
  insertApplication,
  lockApplicationRow,
  updateApplicationRow,
} from './repository.ts';
import { requireActive, requireMayAllow, requireRedirectUri, visibleTo } from './rules.ts';

/** @throws ProblemError `not_found` */
export async function requireApplication(
  db: Db,
  actor: PersonCaller,
  id: string,
): Promise<Application> {
  const application = await findApplication(db, visibleTo(actor), id);
  if (application) return application;
  throw new ProblemError('not_found', 'There is no such application.');
}

/** Locks the application until the transaction ends. @throws ProblemError `not_found` */
export async function lockApplication({ tx, actor }: Mutation, id: string): Promise<Application> {
  await lockApplicationRow(tx.db, actor.organizationId, id);
  return requireApplication(tx.db, actor, id);
}

/** Writes a change of the locked application, or only its next version, announces and records it. */
export async function writeApplication(
  mutation: Mutation,
  id: string,
  change: ApplicationChange,
  event: EventDetails<'application'>,
): Promise<Application> {
  const { tx } = mutation;
  const application = await updateApplicationRow(tx.db, id, change);
  tx.announce({ kind: 'application', id });
  record(mutation, id, event);
  return application;
}

/** A confidential client gets a secret. Only its hash is stored. @throws ProblemError `forbidden` */
export async function createApplication(
  mutation: Mutation,
  { name, limits = null, oauth: { type, ...oauth } }: ParsedCreateApplicationBody,
): Promise<{ application: Application; clientSecret: string | undefined }> {
  const { tx, actor } = mutation;
  requireMayAllow(actor, oauth.scopes);
  const credential = type === 'confidential' ? newClientSecret() : undefined;
  const application = await insertApplication(tx.db, {
    organizationId: actor.organizationId,
    ownerUserId: actor.userId,
    name,
    clientType: type,
    ...oauth,
    ...limitColumnsOf(limits),
    secretHash: credential?.hash ?? null,
  });
  record(mutation, application.id, { action: 'application.created' });
  return { application, clientSecret: credential?.secret };
}

/** @throws ProblemError `not_found`, `precondition_failed`, `archived` */
export async function updateApplication(
  mutation: Mutation,
  id: string,
  body: UpdateApplicationBody,
): Promise<{ before: Application; after: Application }> {
  const current = await lockApplication(mutation, id);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const stored = {
    name: current.name,
    limits: limitsOf(current),
    aggregate: aggregateOf(current),
  };
  const { name = stored.name, limits = stored.limits } = body;
  const aggregate = changedAggregate(stored.aggregate, body.aggregate);
  const changes = changedFields(stored, { name, limits: keptLimits(limits), aggregate });
  if (changes.length === 0) return { before: current, after: current };
  const change = { name, ...limitColumnsOf(limits), ...aggregateColumnsOf(aggregate) };
  const event = { action: 'application.updated', changes } as const;
  return { before: current, after: await writeApplication(mutation, id, change, event) };
}

/** Ends its access, and erases the stored responses that contain its client secret. @throws ProblemError `not_found`, `precondition_failed` */
export async function archiveApplication(mutation: Mutation, id: string): Promise<Application> {
  const { tx } = mutation;
  const current = await lockApplication(mutation, id);
  requireMatch(mutation.precondition, current.version);
  if (current.archivedAt !== null) return current;
  await endApplication(tx, id);
  await eraseResponsesWithSecretOf(tx.db, id);
  const change = { archivedAt: new Date() };
  return writeApplication(mutation, id, change, { action: 'application.archived' });
}

/** @throws ProblemError `not_found` */
export async function restoreApplication(mutation: Mutation, id: string): Promise<Application> {
  const current = await lockApplication(mutation, id);
  if (current.archivedAt === null) return current;
  return writeApplication(mutation, id, { archivedAt: null }, { action: 'application.restored' });
}

/** Ends the previous secret at once, but no session. @throws ProblemError `not_found`, `archived`, `public_client_has_no_secret` */
export async function rotateSecret(
  mutation: Mutation,
  id: string,
): Promise<{ application: Application; clientSecret: string }> {
  const { tx } = mutation;
  const current = await lockApplication(mutation, id);
  requireActive(current);
  if (current.clientType === 'public') {
    throw new ProblemError(
      'public_client_has_no_secret',
      'The application is a public client. Change its type to confidential to give it a secret.',
    );
  }
  const { secret, hash } = newClientSecret();
  await eraseResponsesWithSecretOf(tx.db, id);
  const event = { action: 'application.secret_rotated' } as const;
  const application = await writeApplication(mutation, id, { secretHash: hash }, event);
  return { application, clientSecret: secret };
}

/**
 * Ends all access through the application, archived or not, and leaves its configuration as it is: a kill
 * switch must not be refused for a state.
 *
 * @throws ProblemError `not_found`
 */
export async function revokeAccess(
  mutation: Mutation,
  { sessions }: { readonly sessions: SessionAdmin },
  id: string,
): Promise<RevokedAccess> {
  const { tx } = mutation;
  await lockApplication(mutation, id);
  const ended = await endAccessOfApplication(tx.db, id);
  record(mutation, id, { action: 'application.access_revoked' });
  return { ...ended, ...(await revokeAndCount(tx, { kind: 'application', id }, sessions)) };
}

/**
 * A change of type removes the secret. A confidential client gets a new one by rotation. Removed
 * settings end the grants that depend on them.
 *
 * @throws ProblemError `not_found`, `forbidden`, `precondition_failed`, `archived`, `validation_failed`
 */
export async function updateOauth(
  mutation: Mutation,
  { id, publicUrl }: { readonly id: string; readonly publicUrl: string },
  body: UpdateApplicationOauthBody,
): Promise<{ before: Application; after: Application }> {
  const { tx, actor } = mutation;
  const current = await lockApplication(mutation, id);
  requireMayAllow(actor, body.scopes ?? [], current.scopes);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const stored = oauthOf(current);
  const merged = mergeOauth(stored, body);
  requireRedirectUri(merged);
  if (isDeepStrictEqual(stored, merged)) return { before: current, after: current };
  const isTypeChanged = stored.clientType !== merged.clientType;
  if (isTypeChanged) await eraseResponsesWithSecretOf(tx.db, id);
  await endForSettings(tx, { id, publicUrl }, { before: stored, after: merged });
  const change = isTypeChanged ? { ...merged, secretHash: null } : merged;
  const changes = changedFields(eventFieldsOf(stored), eventFieldsOf(merged));
  const event = { action: 'application.updated', changes } as const;
  return { before: current, after: await writeApplication(mutation, id, change, event) };
}

/** A new client secret of 256 random bits. Only its SHA-256 is ever stored. */
function newClientSecret(): { secret: string; hash: Buffer<ArrayBuffer> } {
  const secret = secretPrefixes.clientSecret + randomBytes(32).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest() };
}
