import type { Integration } from '../../generated/prisma/client.ts';
import type { ConnectionRow } from '../connections.ts';
import { redirectUriOf } from '../oauth/clients/client-metadata.ts';
import type { OauthHttp } from '../oauth/http.ts';
import { obtainClient } from '../oauth/obtain-client.ts';
import { forgetRegistration } from '../oauth/registrations.ts';
import { storeGrant } from '../oauth/store-grant.ts';
import { findDisplayName } from '../oauth/tokens/find-display-name.ts';
import { readCallback } from '../oauth/tokens/read-callback.ts';
import { redeemCode } from '../oauth/tokens/redeem-code.ts';
import type { UpstreamClient } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import { oauthUpstreamOf } from '../oauth/upstream-of.ts';
import type { TakenAttempt } from './attempts.ts';
import { type ConnectDeps, oauthHttpFor } from './connect-deps.ts';
import { type Granted, giveBack } from './give-back.ts';
import { lockConnectable } from './lock-connectable.ts';

/** `changed`: the integration is not what the person left for, and nothing was stored. */
export type Finished =
  | {
      readonly kind: 'connected';
      readonly integration: Integration;
      readonly connection: ConnectionRow;
    }
  | { readonly kind: 'changed' }
  /** The client that we had registered is gone, and was forgotten here too. */
  | { readonly kind: 'client_gone' };

/**
 * Turns what a provider has sent with the browser into a connection.
 *
 * @param params of the callback
 * @throws UpstreamOauthError
 * @throws ProblemError `unauthenticated` when the member is gone
 */
export async function finishConnecting(
  deps: ConnectDeps,
  attempt: TakenAttempt,
  params: URLSearchParams,
  signal: AbortSignal,
): Promise<Finished> {
  const { code } = readCallback(attempt.server, params, attempt.secrets.state);
  const integration = await findUnchanged(deps, attempt);
  if (integration === null) return { kind: 'changed' };
  const http = oauthHttpFor(deps, attempt);
  const granted = await redeem(deps, { attempt, integration, code, http }, signal);
  if (granted === undefined) return { kind: 'client_gone' };
  const displayName = await findDisplayName(http, granted, signal);
  const stored = await storeUnchanged(deps, attempt, granted, displayName).catch(async (error) => {
    await giveBack(http, granted);
    throw error;
  });
  if (stored !== undefined) return { kind: 'connected', ...stored };
  await giveBack(http, granted);
  return { kind: 'changed' };
}

/** Before anything is sent anywhere. */
function findUnchanged(
  { store: { db } }: ConnectDeps,
  { integrationId: id, organizationId, validationEpoch }: TakenAttempt,
): Promise<Integration | null> {
  return db.integration.findFirst({
    where: { id, organizationId, validationEpoch, archivedAt: null, authMode: 'oauth' },
  });
}

interface Redemption {
  readonly attempt: TakenAttempt;
  readonly integration: Integration;
  readonly code: string;
  readonly http: OauthHttp;
}

/** Undefined when the client with which the person left is not ours any more. */
async function redeem(
  deps: ConnectDeps,
  { attempt, integration, code, http }: Redemption,
  signal: AbortSignal,
): Promise<Granted | undefined> {
  const { server, secrets } = attempt;
  const upstream = oauthUpstreamOf(integration);
  const { store, vault, publicUrl } = deps;
  const clientDeps = { db: store.db, vault, http, publicUrl };
  const obtained = await obtainClient(clientDeps, integration, server, signal);
  const { client, tokenParams } = obtained;
  if (!isSameClient(client, attempt.client)) return undefined;
  const redirectUri = redirectUriOf(publicUrl);
  const { codeVerifier } = secrets;
  const request = { server, upstream, client, tokenParams, code, codeVerifier, redirectUri };
  try {
    const tokens = await redeemCode(http, request, signal);
    // RFC 6749 section 5.1: without a scope in the answer, all that was asked for was granted.
    const scopes = tokens.scopes ?? attempt.scopes;
    return { server, upstream, client, tokens: { ...tokens, scopes } };
  } catch (error) {
    if (!isForgotten(error, client)) throw error;
    await forgetRegistration(store.db, integration.id, client.clientId);
    return undefined;
  }
}

function isSameClient(client: UpstreamClient, left: TakenAttempt['client']): boolean {
  return client.clientId === left.clientId && client.source === left.source;
}

function isForgotten(error: unknown, { source }: UpstreamClient): boolean {
  const isRejected = error instanceof UpstreamOauthError && error.code === 'client_rejected';
  return isRejected && source === 'registered';
}

/** Undefined when the integration has changed meanwhile. */
function storeUnchanged(
  { store, vault }: ConnectDeps,
  attempt: TakenAttempt,
  { tokens, server, client }: Granted,
  displayName: string | undefined,
): Promise<{ integration: Integration; connection: ConnectionRow } | undefined> {
  const { userId, validationEpoch } = attempt;
  return store.transaction(async (tx) => {
    const integration = await lockConnectable(tx.db, attempt, 'oauth');
    if (integration === null || integration.validationEpoch !== validationEpoch) return undefined;
    const grant = { tokens, server, client, displayName };
    const connection = await storeGrant(tx, { vault }, { integration, userId }, grant);
    return { integration, connection };
  });
}
