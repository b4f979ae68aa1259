import type {
  Connection,
  IntegrationSecret,
  UpstreamRegistration,
} from '../generated/prisma/client.ts';
import type { SealContext } from './vault.ts';

/** For the credential of a connection, which is of one user, for one integration, in one mode. */
export function connectionSealContext(
  row: Pick<
    Connection,
    'organizationId' | 'id' | 'destination' | 'integrationId' | 'userId' | 'mode'
  >,
): SealContext {
  const { organizationId, id, destination, integrationId, userId, mode } = row;
  const boundTo = [integrationId, userId, mode];
  return { organizationId, table: 'Connection', rowId: id, column: 'sealed', destination, boundTo };
}

/** For an integration's secret. The kind is included, so that one kind cannot replace another. */
export function integrationSecretSealContext(
  row: Pick<IntegrationSecret, 'organizationId' | 'id' | 'kind' | 'destination' | 'integrationId'>,
): SealContext {
  const { organizationId, id, kind, destination, integrationId } = row;
  return {
    organizationId,
    table: 'IntegrationSecret',
    rowId: id,
    column: kind,
    destination,
    boundTo: [integrationId],
  };
}

/** For a client that we registered, which belongs to one integration, issuer and redirect URI. */
export function registrationSealContext(
  row: Pick<
    UpstreamRegistration,
    'organizationId' | 'id' | 'integrationId' | 'issuer' | 'redirectUri' | 'clientId'
  >,
): SealContext {
  const { organizationId, id, integrationId, issuer, redirectUri, clientId } = row;
  return {
    organizationId,
    table: 'UpstreamRegistration',
    rowId: id,
    column: 'sealed',
    destination: issuer,
    boundTo: [integrationId, redirectUri, clientId],
  };
}
