import { hash } from 'node:crypto';
import type { Integration } from '../../generated/prisma/client.ts';
import { discoverServer } from '../oauth/discovery/discover-server.ts';
import type { UpstreamServer } from '../oauth/discovery/upstream-server.ts';
import { clientWays } from '../oauth/obtain-client.ts';
import { isSameIssuer } from '../oauth/same-issuer.ts';
import { scopesToRequest } from '../oauth/tokens/scopes-to-request.ts';
import { type OauthUpstream, oauthUpstreamOf } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import { oauthConfigOf } from '../oauth-config.ts';
import { findOwnGrant } from '../want-scopes.ts';
import { type ConnectDeps, oauthHttpFor } from './connect-deps.ts';

/** The provider that a person would go to, and the scopes that would be requested. */
export interface ConnectPlan {
  readonly integration: Integration;
  readonly upstream: OauthUpstream;
  readonly server: UpstreamServer;
  readonly scopes: readonly string[];
}

/**
 * Looks up where a person has to go. Has no side effects, here or at the provider.
 *
 * @param integration of the mode `oauth`, with a configuration
 * @throws UpstreamOauthError also when nothing could be our client there
 */
export async function planConnecting(
  deps: ConnectDeps,
  { integration, userId }: { readonly integration: Integration; readonly userId: string },
  signal: AbortSignal,
): Promise<ConnectPlan> {
  const upstream = oauthUpstreamOf(integration);
  const http = oauthHttpFor(deps, { organizationId: integration.organizationId, userId });
  const server = await discoverServer(http, upstream, signal);
  if (clientWays(server, upstream, { origin: deps.publicUrl }).length === 0) {
    throw new UpstreamOauthError('no_client');
  }
  const lacked = await lackedScopes(deps, { integration, userId }, server);
  const scopes = [...new Set([...scopesToRequest(server, upstream), ...lacked])];
  return { integration, upstream, server, scopes };
}

/**
 * The scopes that calls lacked and those already granted: a provider may replace earlier scopes (MCP
 * 2026-07-28, authorization, step-up). Only at the server that granted them.
 */
async function lackedScopes(
  { store: { db }, vault }: ConnectDeps,
  { integration, userId }: { readonly integration: Integration; readonly userId: string },
  { issuer }: UpstreamServer,
): Promise<readonly string[]> {
  const { grant } = (await findOwnGrant({ db, vault }, integration, userId)) ?? {};
  const { wantedScopes } = grant ?? {};
  const isSameServer = isSameIssuer(issuer, grant?.server.issuer);
  const isOpen = (oauthConfigOf(integration)?.scopes ?? []).length === 0;
  if (wantedScopes === undefined || !isSameServer || !isOpen) return [];
  return [...(grant?.scopes ?? []), ...wantedScopes];
}

/** A fingerprint of what the page showed: it changes with the integration, the provider and the scopes. */
export function planFingerprint({ integration, server, scopes }: ConnectPlan): string {
  const { id, validationEpoch } = integration;
  const { issuer, authorizationEndpoint } = server;
  const shown = [id, validationEpoch, issuer, authorizationEndpoint, scopes];
  return hash('sha256', JSON.stringify(shown), 'base64url');
}
