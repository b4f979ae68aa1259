import type { PersonActor } from '../../identity/actor.ts';
import { newSecret } from '../../platform/secrets.ts';
import { redirectUriOf } from '../oauth/clients/client-metadata.ts';
import { obtainClient } from '../oauth/obtain-client.ts';
import { authorizationUrl, wantsIdToken } from '../oauth/tokens/authorization-url.ts';
import { connectSecrets, insertAttempt } from './attempts.ts';
import { type ConnectDeps, oauthHttpFor } from './connect-deps.ts';
import { type ConnectLink, takeConnectLink } from './connect-links.ts';
import { lockConnectable } from './lock-connectable.ts';
import type { ConnectPlan } from './plan-connecting.ts';

export interface Beginning {
  readonly plan: ConnectPlan;
  readonly actor: PersonActor;
  /** The secret in the browser's cookie. */
  readonly browser: string;
  /** A path of ours, or an absolute URL under an allowed origin; null for a page that says "connected". */
  readonly returnTo: string | null;
  /** The link that this attempt uses up. */
  readonly link?: ConnectLink | undefined;
  /** True for the attempt after one with a client that the provider had forgotten. */
  readonly isSecond?: boolean;
}

/**
 * Gets a client, uses the link up, and notes the attempt.
 *
 * @returns where the browser goes; undefined when the link does not work any more, or the integration
 *   has changed
 * @throws UpstreamOauthError
 * @throws ProblemError `unauthenticated` when the member is gone
 */
export async function beginConnecting(
  deps: ConnectDeps,
  { plan, actor, browser, returnTo, link, isSecond = false }: Beginning,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const { integration, upstream, server, scopes } = plan;
  const { id: integrationId, organizationId, validationEpoch } = integration;
  const { userId } = actor;
  const { store, vault, publicUrl } = deps;
  const http = oauthHttpFor(deps, { organizationId, userId });
  const clientDeps = { db: store.db, vault, http, publicUrl };
  const { client } = await obtainClient(clientDeps, integration, server, signal);
  const { state, codeChallenge, nonce } = connectSecrets({ browser, state: newSecret() });
  const redirectUri = redirectUriOf(publicUrl, upstream);
  const request = { redirectUri, state, codeChallenge, nonce, scopes };
  const url = authorizationUrl(server, upstream, client, request);
  const connecting = { organizationId, userId, integrationId };
  const isBegun = await store.transaction(async (tx) => {
    const found = await lockConnectable(tx.db, connecting, 'oauth');
    if (found?.validationEpoch !== validationEpoch) return false;
    const used = { actor, decision: 'connect' } as const;
    if (link !== undefined && !(await takeConnectLink(tx, link, used))) return false;
    const hasNonce = wantsIdToken(scopes);
    const place = { server, client, scopes, redirectUri, hasNonce, isSecond };
    const leaving = { ...connecting, ...place, validationEpoch, returnTo };
    await insertAttempt(tx.db, leaving, { state, browser });
    return true;
  });
  return isBegun ? url : undefined;
}
