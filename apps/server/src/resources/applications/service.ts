import { isDeepStrictEqual } from 'node:util';
import type {
  ParsedCreateApplicationBody,
  UpdateApplicationBody,
  UpdateApplicationOauthBody,
} from '@gatehouse/contract';
import type { Application } from '../../generated/prisma/client.ts';
import type { Precondition } from '../../http/etag.ts';
import { eraseStoredSecrets } from '../../http/idempotency.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfApplication } from '../sessions/revocation.ts';
import { visibleTo } from './policy.ts';
import {
  type ApplicationChange,
  type ApplicationOauthColumns,
  findApplication,
  insertApplication,
  lockApplication,
  updateApplication,
} from './repository.ts';
import { newClientSecret } from './secret.ts';

/** @throws ProblemError `not_found` */
export async function getApplication(db: Db, actor: Actor, id: string): Promise<Application> {
  return (await findApplication(db, visibleTo(actor), id)) ?? notFound();
}

/** Locks the application for the rest of the transaction. @throws ProblemError `not_found` */
export async function lockForChange(db: Db, actor: Actor, id: string): Promise<Application> {
  return (await lockApplication(db, visibleTo(actor), id)) ?? notFound();
}

/** @throws ProblemError `archived` */
export function requireActive({ archivedAt }: Application): void {
  if (archivedAt === null) return;
  throw new ProblemError('archived', 'The application is archived. Restore it first.');
}

/** Writes a change under the lock and tells every node. */
export function change(
  tx: Tx,
  { id }: Application,
  columns: ApplicationChange = {},
): Promise<Application> {
  tx.announce({ kind: 'application', id });
  return updateApplication(tx.db, id, columns);
}

/** The secret, of a confidential client only, exists nowhere else. */
export async function createApplication(
  { db }: Tx,
  { organizationId, userId }: Actor,
  { name, oauth: { type, ...oauth } }: ParsedCreateApplicationBody,
): Promise<{ application: Application; clientSecret: string | undefined }> {
  const credential = type === 'confidential' ? newClientSecret() : undefined;
  const application = await insertApplication(db, {
    organizationId,
    ownerUserId: userId,
    name,
    clientType: type,
    ...oauth,
    secretHash: credential?.hash ?? null,
  });
  return { application, clientSecret: credential?.secret };
}

/** @throws ProblemError `not_found`, `precondition_failed`, `archived` */
export async function renameApplication(
  tx: Tx,
  actor: Actor,
  id: string,
  { name }: UpdateApplicationBody,
  requireMatch: Precondition,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  requireMatch(application.version);
  requireActive(application);
  if (name === undefined || name === application.name) return application;
  return change(tx, application, { name });
}

/** Revokes its sessions and forgets a secret held for replay. @throws ProblemError `not_found`, `precondition_failed` */
export async function archiveApplication(
  tx: Tx,
  actor: Actor,
  id: string,
  requireMatch: Precondition,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  requireMatch(application.version);
  if (application.archivedAt) return application;
  await revokeSessionsOfApplication(tx, id);
  await eraseStoredSecrets(tx.db, id);
  return change(tx, application, { archivedAt: new Date() });
}

/** @throws ProblemError `not_found` */
export async function restoreApplication(tx: Tx, actor: Actor, id: string): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  return application.archivedAt ? change(tx, application, { archivedAt: null }) : application;
}

/** Only the secret dies, at once. @throws ProblemError `not_found`, `archived`, `public_client_has_no_secret` */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ application: Application; clientSecret: string }> {
  const application = await lockForChange(tx.db, actor, id);
  requireActive(application);
  if (application.clientType === 'public') {
    throw new ProblemError(
      'public_client_has_no_secret',
      'The application is a public client. Change its type to confidential to give it a secret.',
    );
  }
  const { secret, hash } = newClientSecret();
  await eraseStoredSecrets(tx.db, id);
  return {
    application: await change(tx, application, { secretHash: hash }),
    clientSecret: secret,
  };
}

/**
 * A change of type drops the secret: a public client has none, a confidential one has none until
 * it is rotated.
 *
 * @throws ProblemError `not_found`, `precondition_failed`, `archived`, `validation_failed`
 */
export async function updateOauth(
  tx: Tx,
  actor: Actor,
  id: string,
  body: UpdateApplicationOauthBody,
  requireMatch: Precondition,
): Promise<Application> {
  const application = await lockForChange(tx.db, actor, id);
  requireMatch(application.version);
  requireActive(application);
  const present = oauthOf(application);
  const wanted = merged(present, body);
  requireRedirectUri(wanted);
  if (isDeepStrictEqual(present, wanted)) return application;
  if (present.clientType === wanted.clientType) return change(tx, application, wanted);
  await eraseStoredSecrets(tx.db, id);
  return change(tx, application, { ...wanted, secretHash: null });
}

function oauthOf(application: Application): ApplicationOauthColumns {
  const { clientType, redirectUris, pkceRequired, scopes, allowedResources } = application;
  return { clientType, redirectUris, pkceRequired, scopes, allowedResources };
}

function merged(
  present: ApplicationOauthColumns,
  body: UpdateApplicationOauthBody,
): ApplicationOauthColumns {
  return {
    clientType: body.type ?? present.clientType,
    redirectUris: body.redirectUris ?? present.redirectUris,
    pkceRequired: body.pkceRequired ?? present.pkceRequired,
    scopes: body.scopes ?? present.scopes,
    allowedResources: body.allowedResources ?? present.allowedResources,
  };
}

function requireRedirectUri({ clientType, redirectUris }: ApplicationOauthColumns): void {
  if (clientType === 'confidential' || redirectUris.length > 0) return;
  const message = 'A public client needs at least one redirect URI.';
  throw new ProblemError('validation_failed', message, {
    errors: [{ pointer: '/redirectUris', code: 'invalid_value', message }],
  });
}

function notFound(): never {
  throw new ProblemError('not_found', 'There is no such application.');
}
