import {
  type DiscoverIntegrationResponse,
  type Discovery,
  limits,
  type SuggestedIntegration,
} from '@gatehouse/contract';
import type { ReadyCredential } from '../outcome.ts';
import type { Finding } from './finding.ts';
import { type ProbeVerdict, resultOfFinding } from './probe-result.ts';
import { stagesOf } from './stages.ts';

const NO_CREDENTIAL: ReadyCredential = {
  kind: 'ready',
  headers: [],
  source: 'none',
  connectionId: undefined,
};

/** What a probe without a credential tells about an endpoint, and what to create for it. */
export function discoveryOf(url: string, finding: Finding): DiscoverIntegrationResponse {
  return {
    discovery: {
      name: null,
      era: finding.kind === 'mcp' ? finding.era : null,
      authentication: authenticationOf(finding),
      provider: null,
      issuer: null,
      scopes: [],
      registration: [],
    },
    integration: suggestionOf(url, finding),
    ...verdictOf(finding),
    stages: stagesOf({ url }, NO_CREDENTIAL, finding),
  };
}

function authenticationOf(finding: Finding): Discovery['authentication'] {
  if (finding.kind === 'mcp') return 'none';
  return isChallenge(finding) ? 'bearer' : 'unknown';
}

function suggestionOf(url: string, finding: Finding): SuggestedIntegration | null {
  const name = new URL(url).hostname.slice(0, limits.name);
  if (finding.kind === 'mcp') return { name, url, authMode: 'none' };
  return isChallenge(finding) ? { name, url, authMode: 'user_token' } : null;
}

function verdictOf(finding: Finding): ProbeVerdict {
  if (!isChallenge(finding)) {
    return resultOfFinding({ category: 'gateway_remote_mcp' }, NO_CREDENTIAL, finding);
  }
  return { status: 'pending', message: 'The server was reached and asks for a credential.' };
}

function isChallenge(finding: Finding): boolean {
  return finding.kind === 'unauthorized' && finding.isChallenge;
}
