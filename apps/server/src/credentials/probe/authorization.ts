import { REDIRECT_URI, redirectUriAt } from '@gatehouse/contract';
import type { Egress } from '../../egress/egress.ts';
import { hasSharedRedirectUri } from '../oauth/clients/client-metadata.ts';
import { discoverServer } from '../oauth/discovery/discover-server.ts';
import type { UpstreamServer } from '../oauth/discovery/upstream-server.ts';
import { createOauthHttp } from '../oauth/http.ts';
import { clientWays } from '../oauth/obtain-client.ts';
import type { OauthUpstream, UpstreamClient } from '../oauth/upstream.ts';
import {
  type UpstreamOauthCode,
  UpstreamOauthError,
  type UpstreamOauthOutcome,
} from '../oauth/upstream-error.ts';

/** What connecting would find. */
export type Authorization = AuthorizationFound | AuthorizationMissing;

interface Looked {
  readonly milliseconds: number;
  /** To enter at the provider; a placeholder before there is an integration. */
  readonly redirectUri: string;
}

/** An authorization server, and how Gatehouse can become its client. */
export interface AuthorizationFound extends Looked {
  readonly kind: 'found';
  readonly server: UpstreamServer;
  /** The first one is used; empty if an admin has to enter a client first. */
  readonly ways: readonly UpstreamClient['source'][];
  /** An admin entered a client with the redirect URI that all integrations shared. */
  readonly hasSharedRedirectUri: boolean;
}

/** No usable authorization server. */
export interface AuthorizationMissing extends Looked {
  readonly kind: 'missing';
  readonly code: UpstreamOauthCode;
  readonly outcome: UpstreamOauthOutcome;
  /** One plain sentence or two. */
  readonly message: string;
}

export interface FindAuthorizationDeps {
  readonly egress: Pick<Egress, 'request'>;
  /** Our origin. */
  readonly publicUrl: string;
}

/** Takes the steps of connecting, up to the registration of a client. */
export async function findAuthorization(
  { egress, publicUrl }: FindAuthorizationDeps,
  upstream: OauthUpstream,
  userId: string,
  signal: AbortSignal,
): Promise<Authorization> {
  const startedAt = performance.now();
  const { organizationId, integrationId } = upstream;
  const redirectUri = integrationId === '' ? REDIRECT_URI : redirectUriAt(publicUrl, integrationId);
  const looked = () => {
    return { milliseconds: Math.round(performance.now() - startedAt), redirectUri };
  };
  try {
    const http = createOauthHttp(egress, { organizationId, userId });
    const server = await discoverServer(http, upstream, signal);
    const ways = clientWays(server, upstream, { origin: publicUrl });
    const isShared = hasSharedRedirectUri(upstream.config);
    const found = { server, ways, hasSharedRedirectUri: isShared };
    return { kind: 'found', ...found, ...looked() };
  } catch (error) {
    if (!(error instanceof UpstreamOauthError)) throw error;
    const { code, outcome, message } = error;
    return { kind: 'missing', code, outcome, message, ...looked() };
  }
}
