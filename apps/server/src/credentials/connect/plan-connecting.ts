import { hash } from 'node:crypto';
import type { Integration } from '../../generated/prisma/client.ts';
import { clientWays } from '../oauth/clients/client-ways.ts';
import { discoverServer } from '../oauth/discovery/discover-server.ts';
import type { UpstreamServer } from '../oauth/discovery/upstream-server.ts';
import { scopesToRequest } from '../oauth/tokens/scopes-to-request.ts';
import type { OauthUpstream } from '../oauth/upstream.ts';
import { UpstreamOauthError } from '../oauth/upstream-error.ts';
import { oauthUpstreamOf } from '../oauth/upstream-of.ts';
import { type ConnectDeps, oauthHttpFor } from './connect-deps.ts';

/** Where a person would go to connect, and what they would be asked for there. */
export interface ConnectPlan {
  readonly integration: Integration;
  readonly upstream: OauthUpstream;
  readonly server: UpstreamServer;
  readonly scopes: readonly string[];
}

/**
 * Looks up where a person has to go. Changes nothing, here or there.
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
  return { integration, upstream, server, scopes: scopesToRequest(server, upstream) };
}

/** What a page has shown: the same only while integration, provider and scopes are. */
export function planFingerprint({ integration, server, scopes }: ConnectPlan): string {
  const { id, validationEpoch } = integration;
  const { issuer, authorizationEndpoint } = server;
  const shown = [id, validationEpoch, issuer, authorizationEndpoint, scopes];
  return hash('sha256', JSON.stringify(shown), 'base64url');
}
