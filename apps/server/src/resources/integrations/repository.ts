import type { ListIntegrationsQuery } from '@gatehouse/contract';
import { type ConnectionRow, connectionColumns } from '../../credentials/connections.ts';
import type { OauthConfig } from '../../credentials/oauth-config.ts';
import { type Integration, type IntegrationSecret, Prisma } from '../../generated/prisma/client.ts';
import type { SecretKind, ValidationStatus } from '../../generated/prisma/enums.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { whereNamed } from './name-filter.ts';

/** A secret of an integration, without the secret. */
export type SecretRow = Pick<IntegrationSecret, 'kind' | 'destination'>;

/** An integration as one user sees it: with its secrets' bindings and that user's connection. */
export interface IntegrationRow extends Integration {
  readonly secrets: readonly SecretRow[];
  /** The given user's, so at most one. */
  readonly connections: readonly ConnectionRow[];
}

/** Whose organization is looked into, and whose connection is seen. */
export interface Viewer {
  readonly organizationId: string;
  readonly userId: string;
}

function seenBy({ userId }: Viewer) {
  return {
    secrets: { select: { kind: true, destination: true } },
    connections: { where: { userId }, select: connectionColumns },
  } satisfies Prisma.IntegrationInclude;
}

export function findIntegration(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<IntegrationRow | null> {
  return db.integration.findFirst({
    where: { id, organizationId: viewer.organizationId },
    include: seenBy(viewer),
  });
}

/** Locks the row until the transaction ends: changes of one integration run one after another. */
export async function lockIntegration(db: Db, organizationId: string, id: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Integration"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR UPDATE`;
}

/** Keeps the row from being changed until the transaction ends; any number may hold it at once. */
export async function shareIntegration(db: Db, organizationId: string, id: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Integration"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR SHARE`;
}

/** One page, newest first: three statements, at most four with a name, however many rows. */
export async function listIntegrations(
  db: Db,
  viewer: Viewer,
  { name, includeArchived }: Pick<ListIntegrationsQuery, 'name' | 'includeArchived'>,
  page: { before: string | undefined; take: number },
): Promise<IntegrationRow[]> {
  const { organizationId } = viewer;
  const named =
    name === undefined
      ? {}
      : await whereNamed(db, { organizationId, name, includeArchived, ...page });
  return db.integration.findMany({
    where: {
      AND: [
        {
          organizationId: oneRangeOf(organizationId),
          ...(page.before ? { id: { lt: page.before } } : {}),
          ...(includeArchived ? {} : { archivedAt: null }),
        },
        named,
      ],
    },
    include: seenBy(viewer),
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take: page.take,
  });
}

/** What a write sets of an integration's configuration. */
export interface IntegrationConfig
  extends Pick<Integration, 'name' | 'url' | 'category' | 'authMode'> {
  readonly oauth: OauthConfig | null;
  readonly capabilities: unknown;
  readonly credentialSchema: unknown;
}

export function insertIntegration(
  db: Db,
  row: { id: string; createdAt: Date; organizationId: string; config: IntegrationConfig },
): Promise<Integration> {
  const { id, createdAt, organizationId, config } = row;
  return db.integration.create({
    data: { id, organizationId, createdAt, updatedAt: createdAt, ...columnsOf(config) },
  });
}

/** Writes a new configuration version. `resetValidation` also disowns validations that have begun. */
export function updateIntegration(
  db: Db,
  viewer: Viewer,
  id: string,
  config: IntegrationConfig,
  { resetValidation }: { resetValidation: boolean },
): Promise<IntegrationRow> {
  return db.integration.update({
    where: { id },
    data: {
      ...columnsOf(config),
      ...nextVersion(),
      ...(resetValidation
        ? {
            validationEpoch: { increment: 1 },
            validationStatus: 'pending',
            validationMessage: null,
          }
        : {}),
    },
    include: seenBy(viewer),
  });
}

export function setArchivedAt(
  db: Db,
  viewer: Viewer,
  id: string,
  archivedAt: Date | null,
): Promise<IntegrationRow> {
  return db.integration.update({
    where: { id },
    data: { archivedAt, ...nextVersion(archivedAt ?? new Date()) },
    include: seenBy(viewer),
  });
}

/** Notes a validation's result, unless the configuration it tested has changed since. */
export async function writeValidation(
  db: Db,
  { id, organizationId, validationEpoch }: Integration,
  result: { status: ValidationStatus; message: string },
): Promise<boolean> {
  const { count } = await db.integration.updateMany({
    where: { id, organizationId, validationEpoch, archivedAt: null },
    data: {
      validationStatus: result.status,
      validationMessage: result.message,
      lastValidatedAt: new Date(),
    },
  });
  return count === 1;
}

/** Puts a secret in the place of the one of its kind. The integration must be locked. */
export async function replaceSecret(db: Db, secret: IntegrationSecret): Promise<void> {
  await deleteSecrets(db, secret.integrationId, [secret.kind]);
  await insertSecret(db, secret);
}

export async function insertSecret(db: Db, secret: IntegrationSecret): Promise<void> {
  await db.integrationSecret.create({ data: secret });
}

export async function deleteSecrets(
  db: Db,
  integrationId: string,
  kinds: readonly SecretKind[],
): Promise<void> {
  await db.integrationSecret.deleteMany({ where: { integrationId, kind: { in: [...kinds] } } });
}

function nextVersion(updatedAt = new Date()) {
  return { version: { increment: 1 }, updatedAt };
}

function columnsOf({ oauth, capabilities, credentialSchema, ...columns }: IntegrationConfig) {
  const { name, url, category, authMode } = columns;
  return {
    name,
    url,
    category,
    authMode,
    oauth: jsonOrNull(oauth),
    capabilities: jsonOrNull(capabilities),
    credentialSchema: jsonOrNull(credentialSchema),
  };
}

/**
 * Prisma copies JSON key by key, which loses `__proto__`, unless the value says that it is raw. It
 * says so itself, in this way, for values with a key `$type`.
 */
function jsonOrNull(value: unknown) {
  if (value === null || value === undefined) return Prisma.DbNull;
  return { toJSON: () => ({ $type: 'Raw', value }) };
}
