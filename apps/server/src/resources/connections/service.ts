import {
  refusalTexts,
  type SetConnectionBody,
  type ValidateIntegrationResponse,
} from '@gatehouse/contract';
import {
  allowedReturnUrl,
  type ConnectLinks,
  type MadeConnectLink,
} from '../../credentials/connect/connect-links.ts';
import type { ConnectionRow } from '../../credentials/connections.ts';
import { disconnect } from '../../credentials/disconnect.ts';
import {
  findLastRevocation,
  type LastRevocation,
} from '../../credentials/oauth/revocation/outbox.ts';
import { probeTargetOf } from '../../credentials/probe/probe-target.ts';
import type { Prober } from '../../credentials/probe/prober.ts';
import {
  type CheckedCredential,
  checkBySchema,
  storeConnection,
} from '../../credentials/store-connection.ts';
import { actorOfCaller, type PersonCaller } from '../../identity/caller.ts';
import type { Mutation } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';
import { findCredentialSchema, type IntegrationRow } from '../integrations/repository.ts';
import {
  requireActive,
  requireOauth,
  requirePersonalMode,
  requireUserTokens,
} from '../integrations/rules.ts';
import { lockIntegrationForShare, requireIntegration } from '../integrations/service.ts';

/** Checks a credential by the schema that the integration has now, see `checkBySchema`. */
export async function checkCredential(
  db: Db,
  actor: PersonCaller,
  integrationId: string,
  body: SetConnectionBody,
): Promise<CheckedCredential> {
  return checkBySchema(await findCredentialSchema(db, actor, integrationId), body);
}

/**
 * Replaces the caller's credential.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `validation_failed`
 * @throws CredentialSchemaChanged
 */
export async function setConnection(
  mutation: Mutation,
  deps: { readonly vault: Vault },
  integrationId: string,
  checked: CheckedCredential,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const { tx, actor } = mutation;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireUserTokens(integration);
  const { userId } = actor;
  const owner = { integration, userId, actor: actorOfCaller(actor) };
  const connection = await storeConnection(tx, deps, owner, checked);
  return { integration, connection };
}

/** Also ends the caller's sessions on the integration. @throws ProblemError `not_found` */
export async function removeConnection(mutation: Mutation, integrationId: string): Promise<void> {
  const { tx, actor } = mutation;
  await lockIntegrationForShare(mutation, integrationId);
  await disconnect(tx, { integrationId, userId: actor.userId }, actorOfCaller(actor));
}

/** The outcome at the provider for the grant that the caller disconnected last. */
export function findRevocation(
  db: Db,
  { userId }: PersonCaller,
  integrationId: string,
): Promise<LastRevocation | undefined> {
  return findLastRevocation(db, integrationId, userId);
}

/**
 * Refuses a URL outside the allowed origins, to prevent open redirects.
 *
 * @throws ProblemError `validation_failed` at `/returnTo`
 */
export function requireAllowedReturn(
  { returnOrigins }: { readonly returnOrigins: ReadonlySet<string> },
  returnTo: string | undefined,
): void {
  if (returnTo === undefined || allowedReturnUrl(returnTo, returnOrigins) !== undefined) return;
  const message = refusalTexts.returnToAllowed;
  throw new ProblemError('validation_failed', refusalTexts.returnToRefused, {
    errors: [{ pointer: '/returnTo', code: 'invalid_value', message }],
  });
}

/**
 * Makes a link by which the caller connects by OAuth.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `oauth_not_configured`
 */
export async function authorizeConnection(
  mutation: Mutation,
  { connectLinks }: { readonly connectLinks: ConnectLinks },
  integrationId: string,
  returnTo: string | undefined,
): Promise<MadeConnectLink> {
  const { tx, actor } = mutation;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireOauth(integration);
  const { userId } = actor;
  const link = { integration, userId, actor: actorOfCaller(actor), returnTo };
  return connectLinks.create(tx, link);
}

/**
 * Tries the caller's own credential. What it finds about the credential is noted with the connection;
 * the validation of the integration stays as it is.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`
 */
export async function testConnection(
  db: Db,
  { prober }: { readonly prober: Prober },
  actor: PersonCaller,
  integrationId: string,
): Promise<ValidateIntegrationResponse> {
  const integration = await requireIntegration(db, actor, integrationId);
  requireActive(integration);
  requirePersonalMode(integration);
  return prober.probe(probeTargetOf(integration), actor.userId);
}
