import type { Connection, IntegrationSecret } from '../generated/prisma/client.ts';
import type { Place } from './vault.ts';

/** Where a connection's credential is sealed. */
export function connectionPlace(
  row: Pick<Connection, 'organizationId' | 'id' | 'destination'>,
): Place {
  const { organizationId, id, destination } = row;
  return { organizationId, table: 'Connection', rowId: id, column: 'sealed', destination };
}

/** Where an integration's secret is sealed; the kind takes part, so that none passes for another. */
export function integrationSecretPlace(
  row: Pick<IntegrationSecret, 'organizationId' | 'id' | 'kind' | 'destination'>,
): Place {
  const { organizationId, id, kind, destination } = row;
  return { organizationId, table: 'IntegrationSecret', rowId: id, column: kind, destination };
}
