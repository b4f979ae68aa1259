import type { AuditEvent } from '@gatehouse/sdk';
import { expect, it } from 'vitest';
import { tookOf } from '../src/views/log/call.ts';

const call: AuditEvent = {
  ...{ id: '1', kind: 'call', at: '2026-11-27T12:00:00.000Z', action: 'call' },
  actor: { kind: 'person', id: null, name: null, via: { kind: 'personal_token', id: null } },
  target: { kind: 'integration', id: null, name: null },
  ...{ outcome: 'relayed', requestId: null, address: null, details: { ms: 12 } },
};

it('a call has taken time once it has ended, and the issue of a token has not', () => {
  expect(tookOf(call)).toBe(12);
  expect(tookOf({ ...call, outcome: 'begun', details: { ms: 0 } })).toBeUndefined();
  expect(tookOf({ ...call, action: 'token.issued' })).toBeUndefined();
});
