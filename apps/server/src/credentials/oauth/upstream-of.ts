import type { Integration } from '../../generated/prisma/client.ts';
import { oauthConfigOf } from '../oauth-config.ts';
import { presetOf } from './presets/find-preset.ts';
import type { OauthUpstream } from './upstream.ts';

/** An integration as the functions for OAuth take it. Without a configuration, one that names nothing. */
export function oauthUpstreamOf(
  integration: Pick<Integration, 'organizationId' | 'id' | 'url' | 'oauth'>,
): OauthUpstream {
  const { organizationId, id, url } = integration;
  const config = oauthConfigOf(integration) ?? { scopes: [] };
  return { organizationId, integrationId: id, url, config, preset: presetOf(config.provider) };
}
