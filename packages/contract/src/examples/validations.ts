import { credentialFailures } from '../rules/failures/credential-failures.ts';

/** A validation that found a rejected server token. */
export const validation = {
  status: 'invalid',
  message: 'The server refused the server token (401); set another serverToken.',
  stages: [
    { stage: 'address', status: 'passed', milliseconds: 4 },
    { stage: 'tls', status: 'passed', milliseconds: 38 },
    { stage: 'http', status: 'passed', milliseconds: 61 },
    { stage: 'mcp', status: 'skipped', code: 'not_reached', milliseconds: 0 },
    { stage: 'challenge', status: 'passed', milliseconds: 0 },
    { stage: 'discovery', status: 'skipped', code: 'not_needed', milliseconds: 0 },
    { stage: 'registration', status: 'skipped', code: 'not_needed', milliseconds: 0 },
    {
      stage: 'credential',
      status: 'failed',
      code: 'credential_rejected',
      milliseconds: 0,
      hint: credentialFailures.credential_rejected.hint,
    },
    { stage: 'tools', status: 'skipped', code: 'not_reached', milliseconds: 0 },
  ],
};

/** What was found at a URL that asks for OAuth. */
export const discovered = {
  discovery: {
    name: 'Tracker',
    era: 'modern',
    authentication: 'oauth',
    provider: null,
    issuer: 'https://id.tracker.example',
    scopes: ['issues:read'],
    registration: ['dynamic'],
  },
  integration: {
    name: 'Tracker',
    url: 'https://tracker.example/mcp',
    authMode: 'oauth',
    oauth: { issuer: 'https://id.tracker.example', scopes: ['issues:read'] },
  },
  status: 'pending',
  message: 'The server was reached and asks for a credential.',
  stages: [
    { stage: 'address', status: 'passed', milliseconds: 4 },
    { stage: 'tls', status: 'passed', milliseconds: 38 },
    { stage: 'http', status: 'passed', milliseconds: 61 },
    { stage: 'mcp', status: 'passed', milliseconds: 0 },
    { stage: 'challenge', status: 'passed', milliseconds: 0 },
    { stage: 'discovery', status: 'passed', milliseconds: 92 },
    { stage: 'registration', status: 'passed', milliseconds: 0 },
    { stage: 'credential', status: 'skipped', code: 'connection_required', milliseconds: 0 },
    { stage: 'tools', status: 'skipped', code: 'not_reached', milliseconds: 0 },
  ],
};
