import type {
  AuditKey,
  Connection,
  ForwardedAnswer,
  IdempotencyKey,
  IntegrationSecret,
  OauthToken,
  Session,
  UpstreamRegistration,
  UpstreamRevocation,
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

/** For tokens that wait to be revoked: the same binding as in their connection. */
export function revocationSealContext(
  row: Pick<
    UpstreamRevocation,
    'organizationId' | 'id' | 'destination' | 'integrationId' | 'userId'
  >,
): SealContext {
  return connectionSealContext({ ...row, mode: 'oauth' });
}

/** @param row with the origin of the integration's present URL */
export function sessionSealContext(
  row: Pick<Session, 'organizationId' | 'id' | 'userId'> & { readonly destination: string },
): SealContext {
  const { organizationId, id, userId, destination } = row;
  return {
    organizationId,
    table: 'Session',
    rowId: id,
    column: 'sealed',
    destination,
    boundTo: [userId],
  };
}

/** For an answer on its way to the node that has asked. */
export function answerSealContext({
  organizationId,
  id,
  aggregateSessionId,
}: Pick<ForwardedAnswer, 'organizationId' | 'id' | 'aggregateSessionId'>): SealContext {
  return {
    organizationId,
    table: 'ForwardedAnswer',
    rowId: id,
    column: 'sealed',
    destination: '',
    boundTo: [aggregateSessionId],
  };
}

/** For the token response that a rotated refresh token was exchanged for. */
export function tokenResponseSealContext({
  id,
  clientId,
}: Pick<OauthToken, 'id' | 'clientId'>): SealContext {
  return {
    organizationId: '',
    table: 'OauthToken',
    rowId: id,
    column: 'sealed',
    destination: '',
    boundTo: [clientId],
  };
}

/** @param row with the organization of its user */
export function storedResponseSealContext(
  row: Pick<IdempotencyKey, 'id' | 'userId' | 'operation' | 'key'> & {
    readonly organizationId: string;
  },
): SealContext {
  const { organizationId, id, userId, operation, key } = row;
  return {
    organizationId,
    table: 'IdempotencyKey',
    rowId: id,
    column: 'sealed',
    destination: '',
    boundTo: [userId, operation, key],
  };
}

/** For a key that signs the audit. It belongs to the installation. */
export function auditKeySealContext({
  id,
  fingerprint,
}: Pick<AuditKey, 'id' | 'fingerprint'>): SealContext {
  return {
    organizationId: '',
    table: 'AuditKey',
    rowId: id,
    column: 'sealed',
    destination: '',
    boundTo: [fingerprint],
  };
}
