import type { Egress } from '../../egress/egress.ts';
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

/** An authorization server, and how Gatehouse can become its client. */
export interface AuthorizationFound {
  readonly kind: 'found';
  readonly server: UpstreamServer;
  /** The first one is used; empty if an admin has to enter a client first. */
  readonly ways: readonly UpstreamClient['source'][];
  readonly milliseconds: number;
}

/** No usable authorization server. */
export interface AuthorizationMissing {
  readonly kind: 'missing';
  readonly code: UpstreamOauthCode;
  readonly outcome: UpstreamOauthOutcome;
  /** One plain sentence or two. */
  readonly message: string;
  readonly milliseconds: number;
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
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const { organizationId } = upstream;
    const http = createOauthHttp(egress, { organizationId, userId });
    const server = await discoverServer(http, upstream, signal);
    const ways = clientWays(server, upstream, { origin: publicUrl });
    return { kind: 'found', server, ways, milliseconds: elapsed() };
  } catch (error) {
    if (!(error instanceof UpstreamOauthError)) throw error;
    const { code, outcome, message } = error;
    return { kind: 'missing', code, outcome, message, milliseconds: elapsed() };
  }
}
