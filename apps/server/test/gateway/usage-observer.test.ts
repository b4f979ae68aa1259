import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { createUsageObserver } from '../../src/gateway/usage-observer.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { UsedCall } from '../../src/usage/counts.ts';

const PERSON = { kind: 'person', organizationId: 'o', userId: 'u' } as Caller;
const APPLICATION = { kind: 'application', organizationId: 'o', applicationId: 'a' } as Caller;

function counted(fields: Partial<CallRecord>): UsedCall | undefined {
  const calls: UsedCall[] = [];
  createUsageObserver({ count: (call) => void calls.push(call) }).ended({
    requestId: 'r',
    isOpenEnded: false,
    method: 'POST',
    era: 'modern',
    outcome: 'relayed',
    status: 200,
    startedAt: 0,
    endedAt: 7,
    ms: 7,
    caller: PERSON,
    applicationId: 'a',
    integrationId: 'i',
    credentialSource: 'none',
    messages: [{ method: 'tools/call', name: 'echo', uri: undefined }],
    bytesIn: 1,
    bytesOut: 2,
    reasons: [],
    sessionId: undefined,
    address: undefined,
    ...fields,
  });
  return calls[0];
}

it('usage does not count streams that last as long as their client listens', () => {
  expect(counted({ isOpenEnded: true })).toBeUndefined();
});

describe('usage counts a call', () => {
  it('with its person and tools', () => {
    expect(counted({})).toEqual({
      ...{ organizationId: 'o', applicationId: 'a', integrationId: 'i', subjectId: 'u' },
      ...{ tools: ['echo'], outcome: 'ok', endedAt: 7, ms: 7, bytesIn: 1, bytesOut: 2 },
    });
    const messages = (['ping', 'other', 'prompts/get'] as const).map((method) => {
      return { method, name: 'draft', uri: undefined };
    });
    expect(counted({ messages })?.tools).toEqual(['', '', '']);
  });

  it('once without messages, and for the application that acts for itself', () => {
    expect(counted({ messages: [], caller: APPLICATION })).toMatchObject({
      tools: [''],
      subjectId: 'a',
    });
  });

  it('only of a known caller, to a route of its organization', () => {
    expect(counted({ caller: undefined })).toBeUndefined();
    expect(counted({ applicationId: undefined, integrationId: undefined })).toBeUndefined();
  });

  it.each<[string, Partial<CallRecord>, UsedCall['outcome']]>([
    ['a tool error in a response', { status: 200 }, 'ok'],
    ['an upstream that refuses', { status: 404 }, 'ok'],
    ['an upstream that fails', { status: 502 }, 'upstream_error'],
    ['a refusal', { outcome: 'refused', status: 403, reasons: ['policy_refused'] }, 'refused'],
    ['rules about names', { outcome: 'policy' }, 'refused'],
    ['no credential', { outcome: 'credential' }, 'refused'],
    ['a body that is too large', { outcome: 'too_large', status: 413 }, 'refused'],
    ['a response that is too large', { outcome: 'too_large', status: 502 }, 'upstream_error'],
    ['an error of ours', { outcome: 'refused', status: 500, reasons: ['internal_error'] }, 'error'],
    [
      'an upstream that was not tried',
      { outcome: 'upstream_failed', status: 503, reasons: ['overloaded'] },
      'error',
    ],
    [
      'an upstream that was not reached',
      { outcome: 'upstream_failed', status: 502 },
      'upstream_error',
    ],
    ['a deadline', { outcome: 'deadline', status: 504 }, 'upstream_error'],
    [
      'a shutdown before the response',
      { outcome: 'cut', status: 503, reasons: ['overloaded'] },
      'error',
    ],
    ['a stream that is cut', { outcome: 'cut', status: 200, reasons: ['overloaded'] }, 'ok'],
    ['a client that left', { outcome: 'client_left', status: 0 }, 'ok'],
    ['advice to connect', { outcome: 'connect' }, 'ok'],
  ])('after %s', (_, fields, outcome) => {
    expect(counted(fields)?.outcome).toBe(outcome);
  });
});
