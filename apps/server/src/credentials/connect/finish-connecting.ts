import type { EventActor } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import type { ConnectionRow } from '../connections.ts';
import { sharedRedirectUri } from '../oauth/clients/client-metadata.ts';
import type { OauthHttp } from '../oauth/http.ts';
import type { UnknownObject } from '../oauth/json-object.ts';
import { obtainClient } from '../oauth/obtain-client.ts';
import { forgetRegistration } from '../oauth/registrations.ts';
import { storeGrant } from '../oauth/store-grant.ts';
import { checkIdToken, type KeyCache } from '../oauth/tokens/check-id-token.ts';
import { findDisplayName } from '../oauth/tokens/find-display-name.ts';
import { readCallback } from '../oauth/tokens/read-callback.ts';
import { redeemCode } from '../oauth/tokens/request-tokens.ts';
import { type IssuedTokens, revokeTokens } from '../oauth/tokens/revoke-token.ts';
import { oauthUpstreamOf, type TokenSet, type UpstreamClient } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import type { TakenAttempt } from './attempts.ts';
import { type ConnectDeps, oauthHttpFor } from './connect-deps.ts';
import { lockConnectable } from './lock-connectable.ts';

/** `changed`: the integration has changed since the person left, and nothing was stored. */
export type Finished =
  | ({ readonly kind: 'connected' } & Stored)
  | { readonly kind: 'changed' }
  /** The provider has forgotten our registered client, and so have we. */
  | { readonly kind: 'client_gone' };

export interface FinishDeps extends ConnectDeps {
  readonly keys: KeyCache;
}

/** A person who has come back from a provider. */
interface Returning {
  readonly actor: EventActor;
  readonly attempt: TakenAttempt;
  /** Of the callback. */
  readonly url: URL;
}

/**
 * Turns the provider's response, which the browser brings, into a connection.
 *
 * @throws UpstreamOauthError
 * @throws ProblemError `unauthenticated` when the member is gone
 */
export async function finishConnecting(
  deps: FinishDeps,
  { actor, attempt, url }: Returning,
  signal: AbortSignal,
): Promise<Finished> {
  const redirectUri = attempt.redirectUri ?? sharedRedirectUri(deps.publicUrl);
  const { code } = readCallback({ ...attempt, redirectUri }, url);
  const integration = await findUnchanged(deps, attempt);
  if (integration === null) return { kind: 'changed' };
  const http = oauthHttpFor(deps, attempt);
  const granted = await redeem(deps, { attempt, redirectUri, integration, code, http }, signal);
  if (granted === undefined) return { kind: 'client_gone' };
  let stored: Stored | undefined;
  try {
    const idClaims = await idClaimsOf({ http, keys: deps.keys }, attempt, granted, signal);
    const displayName = await findDisplayName(http, { ...granted, idClaims }, signal);
    stored = await storeUnchanged(deps, { actor, attempt }, { ...granted, displayName });
  } finally {
    if (stored === undefined) await giveBack(http, granted);
  }
  return stored === undefined ? { kind: 'changed' } : { kind: 'connected', ...stored };
}

/**
 * Undefined where no nonce was sent or no ID token came: then its claims are not used for anything.
 *
 * @throws UpstreamOauthError
 */
async function idClaimsOf(
  parties: { readonly http: OauthHttp; readonly keys: KeyCache },
  { hasNonce, secrets: { nonce } }: TakenAttempt,
  { server, client: { clientId }, tokens: { idToken } }: Granted,
  signal: AbortSignal,
): Promise<UnknownObject | undefined> {
  if (hasNonce !== true || idToken === undefined) return undefined;
  return checkIdToken(parties, { server, clientId, idToken, nonce }, signal);
}

/** Checks before any request is sent. */
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
  readonly redirectUri: string;
  readonly integration: Integration;
  readonly code: string;
  readonly http: OauthHttp;
}

/** Undefined if the client of the attempt is no longer ours. */
async function redeem(
  deps: ConnectDeps,
  { attempt, redirectUri, integration, code, http }: Redemption,
  signal: AbortSignal,
): Promise<Granted | undefined> {
  const { server, secrets } = attempt;
  const upstream = oauthUpstreamOf(integration);
  const { store, vault, publicUrl } = deps;
  const clientDeps = { db: store.db, vault, http, publicUrl };
  const obtained = await obtainClient(clientDeps, integration, server, signal);
  const { client, tokenParams } = obtained;
  if (!isSameClient(client, attempt.client)) return undefined;
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

interface Stored {
  readonly integration: Integration;
  readonly connection: ConnectionRow;
}

/** Undefined when the integration has changed meanwhile. */
function storeUnchanged(
  { store, vault }: ConnectDeps,
  { actor, attempt }: Pick<Returning, 'actor' | 'attempt'>,
  { tokens, server, client, displayName }: Granted & { readonly displayName: string | undefined },
): Promise<Stored | undefined> {
  const { userId, validationEpoch } = attempt;
  return store.transaction(async (tx) => {
    const integration = await lockConnectable(tx.db, attempt, 'oauth');
    if (integration === null || integration.validationEpoch !== validationEpoch) return undefined;
    const grant = { tokens, server, client, displayName };
    const connection = await storeGrant(tx, { vault }, { integration, userId, actor }, grant);
    return { integration, connection };
  });
}

/** Milliseconds for all of it. */
const TIMEOUT = 5_000;

/** Tokens of a provider, and the client they were issued to. */
export interface Granted extends IssuedTokens {
  readonly tokens: TokenSet;
}

/**
 * Revokes tokens that are not stored, if the provider supports it. A failure is harmless: nobody has
 * the tokens.
 */
async function giveBack(http: OauthHttp, granted: Granted): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    await revokeTokens(http, granted, () => signal);
  } catch (error) {
    if (!(error instanceof UpstreamOauthError)) throw error;
  }
}
