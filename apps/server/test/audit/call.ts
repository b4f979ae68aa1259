import type { CallInput } from '../../src/audit/encode-calls.ts';

const ids = {
  userId: '019a0000-0000-7000-8000-000000000001',
  applicationId: '019a0000-0000-7000-8000-000000000002',
  integrationId: '019a0000-0000-7000-8000-000000000003',
};

/** A call of a tool that a person has made. */
export function callOf(details: Partial<CallInput['details']> = {}): CallInput {
  const { userId, applicationId, integrationId } = ids;
  const via = { kind: 'personal_token', id: '019a0000-0000-7000-8000-000000000004' };
  return {
    at: Date.UTC(2026, 10, 27, 12),
    action: 'call',
    actor: { kind: 'person', id: userId, name: 'Ada', via },
    target: { kind: 'integration', id: integrationId, name: 'Docs' },
    outcome: 'relayed',
    requestId: 'request',
    address: '192.0.2.1',
    details: {
      ...{ applicationId, integrationId, userId, sessionId: null },
      ...{ httpMethod: 'POST', method: 'tools/call', name: 'search', uri: null },
      ...{ credential: 'connection', status: 200, reasons: [], ms: 12, bytesIn: 100 },
      ...{ bytesOut: 200, ...details },
    },
  };
}
