import type { Connection, IntegrationSecret } from '../generated/prisma/client.ts';
import type { SealContext } from './vault.ts';

/** For the credential of a connection. */
export function connectionSealContext(
  row: Pick<Connection, 'organizationId' | 'id' | 'destination'>,
): SealContext {
  const { organizationId, id, destination } = row;
  return { organizationId, table: 'Connection', rowId: id, column: 'sealed', destination };
}

/** For an integration's secret. The kind is included, so that one kind cannot replace another. */
export function integrationSecretSealContext(
  row: Pick<IntegrationSecret, 'organizationId' | 'id' | 'kind' | 'destination'>,
): SealContext {
  const { organizationId, id, kind, destination } = row;
  return { organizationId, table: 'IntegrationSecret', rowId: id, column: kind, destination };
}
