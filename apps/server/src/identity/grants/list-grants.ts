import type { Grant } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { CONSOLE_CLIENT } from './console-grant.ts';

export interface GrantWithNames extends Grant {
  readonly application: { readonly name: string };
  /** The name that a dynamic client gave itself, or that of the console. */
  readonly clientName: string | undefined;
}

/** The unexpired grants of a member, newest first. Housekeeping deletes the others within the hour. */
export async function listGrants(
  db: Db,
  userId: string,
  page: { before: string | undefined; take: number },
): Promise<GrantWithNames[]> {
  const grants = await db.grant.findMany({
    where: {
      userId: oneRangeOf(userId),
      expiresAt: { gt: new Date() },
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: page.take,
    include: { application: { select: { name: true } } },
  });
  const clientIds = grants.map(({ clientId }) => clientId);
  const clients = await db.dynamicClient.findMany({ where: { id: { in: clientIds } } });
  const names = new Map([CONSOLE_CLIENT, ...clients].map(({ id, name }) => [id, name]));
  return grants.map((grant) => ({ ...grant, clientName: names.get(grant.clientId) }));
}

/** The most integrations of a grant to name; more are only counted. */
const MAX_NAMES = 5;

/** A grant in terms that its person recognizes. */
export interface GrantDescription {
  readonly id: string;
  readonly applicationName: string;
  /** The name that a dynamic client has given itself, or that of the console; undefined for the application's own client. */
  readonly clientName: string | undefined;
  readonly isConsole: boolean;
  readonly integrationNames: readonly string[];
  readonly moreIntegrations: number;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Describes grants of one organization, in one statement. */
export async function describeGrants(
  db: Db,
  grants: readonly GrantWithNames[],
): Promise<GrantDescription[]> {
  const integrations = await db.integration.findMany({
    where: {
      id: { in: grants.flatMap(({ integrationIds }) => integrationIds.slice(0, MAX_NAMES)) },
    },
    select: { id: true, name: true },
  });
  const nameOf = new Map(integrations.map(({ id, name }) => [id, name]));
  return grants.map((grant) => {
    const { id, application, clientId, clientName, integrationIds, scopes, createdAt, lastUsedAt } =
      grant;
    return {
      id,
      applicationName: application.name,
      clientName: isOfOtherClient(grant) ? (clientName ?? clientId) : undefined,
      isConsole: clientId === CONSOLE_CLIENT.id,
      integrationNames: integrationIds.slice(0, MAX_NAMES).flatMap((at) => nameOf.get(at) ?? []),
      moreIntegrations: Math.max(0, integrationIds.length - MAX_NAMES),
      scopes,
      createdAt,
      lastUsedAt,
    };
  });
}

function isOfOtherClient({ clientId, applicationId }: GrantWithNames): boolean {
  return clientId !== applicationId;
}
