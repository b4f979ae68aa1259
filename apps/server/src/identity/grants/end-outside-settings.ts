import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../../platform/database/store.ts';
import { CONSOLE_CLIENT } from './console-grant.ts';
import { announceEnded } from './end-grant.ts';

/** The settings of an application that bind its clients. */
export interface ClientSettings {
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Canonical, without those that are allowed whatever the settings say. */
  readonly resources: readonly string[];
  readonly allowDynamicClients: boolean;
}

/**
 * Ends the grants that depend on what the settings no longer allow, and forgets the consents to it.
 * Also ends such tokens of the application itself. The console is no client of the application, so its grants
 * stay. The caller has locked the application and announces it.
 *
 * @returns the ids of the ended grants
 */
export async function endOutsideSettings(
  tx: Tx,
  applicationId: string,
  { before, after }: { readonly before: ClientSettings; readonly after: ClientSettings },
): Promise<string[]> {
  const taken = takenAway(before, after);
  const common = [...scopeConditions(taken, after), ...resourceConditions(taken)];
  const ofGrants = [...common, ...clientConditions(taken, applicationId)];
  if (taken.hasUri) ofGrants.push(hasOtherUri(applicationId, after));
  if (ofGrants.length === 0) return [];
  const isOfApplication = Prisma.sql`"applicationId" = ${applicationId}::uuid`;
  const ended = await tx.db.$queryRaw<{ id: string }[]>`
    DELETE FROM "Grant"
    WHERE ${isOfApplication} AND "clientId" <> ${CONSOLE_CLIENT.id} AND (${anyOf(ofGrants)})
    RETURNING "id"`;
  const ofConsents = [...common, ...clientConditions(taken, applicationId)];
  if (taken.hasUri) ofConsents.push(hasOtherHost(applicationId, after));
  await tx.db.$executeRaw`
    DELETE FROM "Consent" WHERE ${isOfApplication} AND (${anyOf(ofConsents)})`;
  const ofTokens = [
    ...scopeConditions(taken, after),
    Prisma.sql`"audience" = ANY(${taken.resources}::text[])`,
  ];
  await tx.db.$executeRaw`
    DELETE FROM "OauthToken"
    WHERE ${isOfApplication} AND "grantId" IS NULL AND (${anyOf(ofTokens)})`;
  const ids = ended.map(({ id }) => id);
  announceEnded(tx, ids);
  return ids;
}

interface Taken {
  readonly hasUri: boolean;
  readonly hasScope: boolean;
  readonly resources: string[];
  readonly hasDynamicClients: boolean;
}

function takenAway(before: ClientSettings, after: ClientSettings): Taken {
  return {
    hasUri: without(before.redirectUris, after.redirectUris).length > 0,
    hasScope: without(before.scopes, after.scopes).length > 0,
    resources: without(before.resources, after.resources),
    hasDynamicClients: before.allowDynamicClients && !after.allowDynamicClients,
  };
}

function without(all: readonly string[], kept: readonly string[]): string[] {
  return all.filter((one) => !kept.includes(one));
}

function anyOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([...conditions], ' OR ');
}

function scopeConditions({ hasScope }: Taken, { scopes }: ClientSettings): Prisma.Sql[] {
  return hasScope ? [Prisma.sql`NOT "scopes" <@ ${[...scopes]}::text[]`] : [];
}

function resourceConditions({ resources }: Taken): Prisma.Sql[] {
  return resources.length > 0 ? [Prisma.sql`"resources" && ${resources}::text[]`] : [];
}

function clientConditions({ hasDynamicClients }: Taken, applicationId: string): Prisma.Sql[] {
  return hasDynamicClients ? [Prisma.sql`"clientId" <> ${applicationId}`] : [];
}

/** A dynamic client has its own redirect URIs. */
function hasOtherUri(applicationId: string, { redirectUris }: ClientSettings): Prisma.Sql {
  return Prisma.sql`("clientId" = ${applicationId} AND ${isNotAmong(redirectUris)})`;
}

function hasOtherHost(applicationId: string, { redirectUris }: ClientSettings): Prisma.Sql {
  const hosts = redirectUris.map((uri) => new URL(uri).host);
  return Prisma.sql`("clientId" = ${applicationId} AND "redirectHost" <> ALL(${hosts}::text[]))`;
}

/** The port of a loopback redirect is the client's choice at each request (RFC 8252 section 7.3). */
const LOOPBACK_PORT = '^(http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])):[0-9]+';

/** Matches grants with another redirect URI than these. */
export function isNotAmong(redirectUris: readonly string[]): Prisma.Sql {
  return Prisma.sql`regexp_replace("redirectUri", ${LOOPBACK_PORT}, '\\1', 'i') <> ALL(ARRAY(
      SELECT regexp_replace(u, ${LOOPBACK_PORT}, '\\1', 'i')
      FROM unnest(${[...redirectUris]}::text[]) u))`;
}
