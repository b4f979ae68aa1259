import type { ListIntegrationsQuery } from '@gatehouse/contract';
import { type ConnectionRow, connectionColumns } from '../../credentials/connections.ts';
import type { OauthConfig } from '../../credentials/oauth-config.ts';
import type { ProbeResult } from '../../credentials/probe/probe-result.ts';
import { type Integration, type IntegrationSecret, Prisma } from '../../generated/prisma/client.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { whereNamed } from './name-filter.ts';

/** A stored secret of an integration, without its ciphertext. */
export type SecretRow = Pick<IntegrationSecret, 'kind' | 'destination'>;

/** An integration as one user sees it: with the destinations of its secrets, and the user's connection. */
export interface IntegrationRow extends Integration {
  readonly secrets: readonly SecretRow[];
  /** The connection of the given user, at most one. */
  readonly connections: readonly ConnectionRow[];
}

/** The organization to read, and the user with the connection to include. */
type Scope = Pick<PersonCaller, 'organizationId' | 'userId'>;

const PENDING = {
  validationEpoch: { increment: 1 },
  validationStatus: 'pending',
  validationMessage: null,
  certificateExpiresAt: null,
} satisfies Prisma.IntegrationUpdateInput;

function includedFor({ userId }: Scope) {
  return {
    secrets: { select: { kind: true, destination: true } },
    connections: { where: { userId }, select: connectionColumns },
  } satisfies Prisma.IntegrationInclude;
}

export function findIntegration(db: Db, actor: Scope, id: string): Promise<IntegrationRow | null> {
  return db.integration.findFirst({
    where: { id, organizationId: actor.organizationId },
    include: includedFor(actor),
  });
}

/** Only the credential schema; `undefined` without such an integration. */
export async function findCredentialSchema(
  db: Db,
  { organizationId }: Pick<PersonCaller, 'organizationId'>,
  id: string,
): Promise<unknown> {
  const row = await db.integration.findFirst({
    where: { id, organizationId },
    select: { credentialSchema: true },
  });
  return row?.credentialSchema;
}

/** Locks the row until the transaction ends: changes of one integration run one after another. */
export async function lockIntegrationRow(
  db: Db,
  organizationId: string,
  id: string,
): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Integration"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR UPDATE`;
}

/** What attaching needs to know of an integration. */
export type LockedIntegration = Pick<
  Integration,
  'id' | 'name' | 'archivedAt' | 'category' | 'authMode'
>;

/**
 * Keeps rows from being changed until the transaction ends; several transactions may do so at once.
 * Returns those that exist. Locks by ascending id, so that two transactions cannot deadlock.
 */
export async function lockIntegrationRowsForShare(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedIntegration>> {
  const rows = await db.$queryRaw<LockedIntegration[]>`
    SELECT "id", "name", "archivedAt", "category"::text AS "category", "authMode"::text AS "authMode" FROM "Integration"
    WHERE "id" = ANY(${[...ids]}::uuid[]) AND "organizationId" = ${organizationId}::uuid
    ORDER BY "id" FOR SHARE`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** One page, newest first, in three statements, or four with a name. */
export async function listIntegrations(
  db: Db,
  actor: Scope,
  { name, includeArchived }: Pick<ListIntegrationsQuery, 'name' | 'includeArchived'>,
  page: { before: string | undefined; take: number },
): Promise<IntegrationRow[]> {
  const { organizationId } = actor;
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
    include: includedFor(actor),
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take: page.take,
  });
}

/** The number of connections of each integration that has any. */
export async function countConnections(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ id: string; count: number }[]>`
    SELECT "integrationId" AS "id", count(*)::int AS "count" FROM "Connection"
    WHERE "integrationId" = ANY(${[...ids]}::uuid[]) GROUP BY "integrationId"`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The configuration of an integration. */
export interface IntegrationConfig
  extends Pick<Integration, 'name' | 'url' | 'category' | 'authMode' | 'validateEveryMinutes'> {
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
    data: {
      id,
      organizationId,
      createdAt,
      updatedAt: createdAt,
      ...columnsOf(config),
      ...scheduleOf(config, createdAt),
    },
  });
}

/** What a write changes. Each change makes a new version. */
export interface IntegrationChange {
  readonly config?: IntegrationConfig;
  readonly archivedAt?: Date | null;
  /** Sets the validation to `pending`; a validation that is running will not be recorded. */
  readonly resetValidation?: boolean;
  /** Schedules the next validation by the service, counted from now. */
  readonly isRescheduled?: boolean;
}

export function updateIntegrationRow(
  db: Db,
  actor: Scope,
  id: string,
  { config, archivedAt, resetValidation = false, isRescheduled = false }: IntegrationChange,
): Promise<IntegrationRow> {
  return db.integration.update({
    where: { id },
    data: {
      ...(config === undefined ? {} : columnsOf(config)),
      ...(config !== undefined && isRescheduled ? scheduleOf(config, new Date()) : {}),
      ...(archivedAt === undefined ? {} : { archivedAt }),
      ...(resetValidation ? PENDING : {}),
      version: { increment: 1 },
      updatedAt: archivedAt ?? new Date(),
    },
    include: includedFor(actor),
  });
}

/**
 * Writes the result of a validation. Returns false when the configuration has changed since, or the
 * integration has been archived.
 */
export async function updateValidation(
  db: Db,
  { id, organizationId, validationEpoch }: Integration,
  result: ProbeResult,
): Promise<boolean> {
  const { count } = await db.integration.updateMany({
    where: { id, organizationId, validationEpoch, archivedAt: null },
    data: {
      ...verdictColumns(result),
      // Ends the delay that failures add to the next validation by the service.
      ...(result.status === 'invalid' ? {} : { failedValidations: 0 }),
    },
  });
  return count === 1;
}

/** What a validation found. Where it saw no certificate, the one that was seen last stays. */
export function verdictColumns({ status, message, stages }: ProbeResult) {
  const lastValidatedAt = new Date();
  const expiry = stages.find(({ stage }) => stage === 'tls')?.certificateExpiresAt;
  return {
    validationStatus: status,
    validationMessage: message,
    validationStages: { at: lastValidatedAt.toISOString(), stages: [...stages] },
    lastValidatedAt,
    ...(expiry === undefined ? {} : { certificateExpiresAt: new Date(expiry) }),
  } satisfies Prisma.IntegrationUpdateManyMutationInput;
}

function columnsOf({ oauth, capabilities, credentialSchema, ...columns }: IntegrationConfig) {
  const { name, url, category, authMode, validateEveryMinutes } = columns;
  return {
    name,
    url,
    category,
    authMode,
    validateEveryMinutes,
    oauth: jsonOrNull(oauth),
    capabilities: jsonOrNull(capabilities),
    credentialSchema: jsonOrNull(credentialSchema),
  };
}

/** The first validation by the service is due after as long as between any two. */
function scheduleOf(
  { validateEveryMinutes: minutes }: Pick<IntegrationConfig, 'validateEveryMinutes'>,
  from: Date,
) {
  const nextValidationAt = minutes === null ? null : new Date(from.getTime() + minutes * 60_000);
  return { nextValidationAt, failedValidations: 0 };
}

/**
 * Prisma copies JSON key by key and so loses `__proto__`, unless the value is marked as raw. This is
 * how Prisma itself marks values with a key `$type`.
 */
function jsonOrNull(value: unknown) {
  if (value === null || value === undefined) return Prisma.DbNull;
  return { toJSON: () => ({ $type: 'Raw', value }) };
}
