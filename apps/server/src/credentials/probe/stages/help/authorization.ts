import type { StageHelp } from './stage-help.ts';

export const DISCOVERY: StageHelp = {
  checks:
    'In the mode oauth: Gatehouse finds the authorization server at which people connect, and its metadata can be used.',
  codes: {
    metadata_not_found: {
      meaning: 'The server publishes nothing about its authorization server.',
      hint: 'Set issuer in the OAuth configuration, or use another authMode if the server takes plain tokens.',
    },
    metadata_invalid: {
      meaning: 'What the server publishes about authorization is not valid.',
      hint: 'Tell the operator of the server.',
    },
    issuer_mismatch: {
      meaning: 'The authorization server calls itself otherwise than expected.',
      hint: 'Set issuer in the OAuth configuration to exactly what the server publishes.',
    },
    resource_mismatch: {
      meaning: 'The server publishes metadata for another URL.',
      hint: 'Set the URL of the integration to the one that the server publishes.',
    },
    pkce_not_supported: {
      meaning: 'The authorization server does not promise PKCE with S256, which MCP requires.',
      hint: 'Set both issuer and clientId in the OAuth configuration if you trust the server all the same.',
    },
    insecure_endpoint: {
      meaning: 'The authorization server uses plain http.',
      hint: 'Have it use https. Plain http is for networks in GATEHOUSE_ALLOWED_NETWORKS.',
    },
    address_not_allowed: {
      meaning: 'The authorization server has an address that is not public.',
      hint: 'Ask the operator of Gatehouse to add its network to GATEHOUSE_ALLOWED_NETWORKS.',
    },
    unreachable: {
      meaning: 'The authorization server cannot be reached.',
      hint: 'Check issuer in the OAuth configuration, then validate again.',
    },
    timed_out: {
      meaning: 'The authorization server did not answer in time.',
      hint: 'Validate again later.',
    },
    server_error: {
      meaning: 'The authorization server reports an error of its own.',
      hint: 'Validate again later.',
    },
    rate_limited: {
      meaning: 'The authorization server takes no more requests at present.',
      hint: 'Validate again later.',
    },
    response_invalid: {
      meaning: 'The answer of the authorization server cannot be used.',
      hint: 'Check issuer and provider in the OAuth configuration.',
    },
  },
};

export const REGISTRATION: StageHelp = {
  checks:
    'In the mode oauth: Gatehouse knows how to become a client of the authorization server. It does not register one yet.',
  codes: {
    no_client: {
      meaning: 'The authorization server lets no client register itself.',
      hint: 'Create an OAuth app at the provider, and set clientId and clientSecret in the OAuth configuration.',
    },
  },
};
