import type { Integration } from '../../generated/prisma/client.ts';
import { readSpokenEras, type SpokenEras } from '../../mcp/spoken-eras.ts';
import { type OauthUpstream, oauthUpstreamOf } from '../oauth/upstream.ts';
import { type CredentialTarget, credentialTargetOf } from '../target.ts';

/** The properties of an integration that a probe needs. */
export interface ProbeTarget extends CredentialTarget {
  /** In mode `oauth`. */
  readonly upstream: OauthUpstream | undefined;
  readonly spokenEras: SpokenEras;
}

export function probeTargetOf(integration: Integration): ProbeTarget {
  const isOauth = integration.authMode === 'oauth';
  return {
    ...credentialTargetOf(integration),
    upstream: isOauth ? oauthUpstreamOf(integration) : undefined,
    spokenEras: readSpokenEras(integration.spokenEras, integration.url),
  };
}
