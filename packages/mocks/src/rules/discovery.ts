import { type DiscoverIntegrationResponse, limits } from '@gatehouse/contract';
import type { MockDiscovery } from '../state/outcomes.ts';
import { stagesOf } from './stages.ts';

/** What a test has set for the URL; by default a server that asks for no credential. */
export function discoveryOf(
  url: string,
  outcome: MockDiscovery = openServer(url),
): DiscoverIntegrationResponse {
  const authMode = outcome.integration?.authMode ?? 'none';
  const stages = outcome.stages ?? stagesOf({ authMode, url }, outcome.status);
  return { ...outcome, stages: [...stages] };
}

function openServer(url: string): MockDiscovery {
  const name = new URL(url).hostname.slice(0, limits.name);
  return {
    discovery: {
      name: null,
      era: 'modern',
      authentication: 'none',
      provider: null,
      issuer: null,
      scopes: [],
      registration: [],
    },
    integration: { name, url, authMode: 'none' },
    status: 'valid',
    message: 'The server was reached over MCP and asks for no credential.',
  };
}
