import type { Db } from '../../platform/database/store.ts';
import type { GrantWithNames } from './list-grants.ts';

/** More integrations of a grant are only counted. */
const MAX_NAMES = 5;

/** A grant as its person recognizes it. */
export interface GrantDescription {
  readonly id: string;
  readonly applicationName: string;
  /** The name that a dynamic client has given itself; undefined for the application's own client. */
  readonly clientName: string | undefined;
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
      clientName: isOfDynamicClient(grant) ? (clientName ?? clientId) : undefined,
      integrationNames: integrationIds.slice(0, MAX_NAMES).flatMap((at) => nameOf.get(at) ?? []),
      moreIntegrations: Math.max(0, integrationIds.length - MAX_NAMES),
      scopes,
      createdAt,
      lastUsedAt,
    };
  });
}

function isOfDynamicClient({ clientId, applicationId }: GrantWithNames): boolean {
  return clientId !== applicationId;
}
