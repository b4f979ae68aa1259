import { ids } from './resources.ts';

export const auditEvent = {
  id: '019a9e60-8f35-7c2a-9d41-5b0c86e20001',
  kind: 'call',
  at: '2026-11-20T16:21:40.102Z',
  action: 'call',
  actor: {
    kind: 'person',
    id: ids.user,
    name: 'Ada Lovelace',
    via: { kind: 'personal_token', id: '01936f6e-0d21-7a4c-8b3e-1f2a3b4c5d6e' },
  },
  target: { kind: 'integration', id: ids.integration, name: 'Issue tracker' },
  outcome: 'relayed',
  requestId: '9f0c2f1e',
  address: '192.0.2.10',
  details: {
    applicationId: ids.application,
    integrationId: ids.integration,
    userId: ids.user,
    sessionId: null,
    httpMethod: 'POST',
    method: 'tools/call',
    name: 'search_issues',
    uri: null,
    credential: 'connection',
    status: 200,
    reasons: [],
    ms: 41,
    bytesIn: 212,
    bytesOut: 1830,
  },
};

export const auditVerification = {
  at: '2026-11-20T03:00:00.000Z',
  finishedAt: '2026-11-20T03:00:42.517Z',
  verdict: 'verified',
  findings: [],
  blocks: 8214,
  calls: 164280,
  changes: 312,
  crashes: 0,
  droppedUntil: { calls: null, management: null },
};

const lines = [{ type: 'export' }, { type: 'event', event: auditEvent }, { type: 'end' }];

/** Without most of its fields. */
export const auditExport = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
