import type { DiscoverIntegrationResponse } from '@gatehouse/contract';
import type { Prober } from '../../credentials/probe/prober.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Actor } from '../../identity/actor.ts';
import { requireAllowedUrl } from './policy.ts';

/** Looks at a URL that is no integration yet. @throws ProblemError `egress_denied` at `/url` */
export async function discoverIntegration(
  { prober, egress }: { readonly prober: Prober; readonly egress: Egress },
  actor: Actor,
  url: string,
): Promise<DiscoverIntegrationResponse> {
  requireAllowedUrl(egress, { url, category: 'gateway_remote_mcp', authMode: 'none' });
  return prober.discover(url, actor);
}
