import type { AuditEvent, JsonObject } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { refusingRules } from '../src/views/log/refusing-rules.ts';

const APPLICATION = '0199aaaa-0000-7000-8000-000000000001';
const CALL = { name: 'delete_page', applicationId: APPLICATION };

function changed(
  id: string,
  action: 'integration.policy_changed' | 'application.policy_changed',
  changes: readonly JsonObject[],
): AuditEvent {
  return {
    ...{ id, at: '2026-05-12T10:00:00.000Z', kind: 'management', action, outcome: 'succeeded' },
    actor: {
      kind: 'person',
      id: null,
      name: 'Ana',
      via: { kind: 'grant', id: null },
    },
    ...{ target: { kind: 'integration', id: null, name: null }, address: null, requestId: null },
    details: { changes: [...changes] },
  };
}

const denied = (id: string, deny: string[], more = {}) =>
  changed(id, 'integration.policy_changed', [
    { field: 'tools', from: null, to: { deny }, ...more },
  ]);

const found = (reason: string, changes: readonly AuditEvent[], call = CALL) =>
  refusingRules(reason, call, changes).map(({ level, pattern, setBy }) => [
    level,
    pattern,
    setBy.id,
  ]);

describe('the rule that refused a call', () => {
  it('is that of the last change before it which denies the name', () => {
    const changes = [
      changed('people', 'integration.policy_changed', [
        { field: 'roles', from: null, to: ['admin'] },
      ]),
      denied('new', ['merge_*', 'delete_*']),
      denied('old', ['delete_page']),
    ];
    expect(found('tool_denied', changes)).toEqual([['integration', 'delete_*', 'new']]);
    expect(found('role_or_group', changes)).toEqual([['integration', undefined, 'people']]);
    expect(found('tool_not_allowed', changes)).toEqual([]);
  });

  it('names each level that refuses', () => {
    const tools = { allow: ['read_*'] };
    const changes = [
      changed('mine', 'application.policy_changed', [{ field: 'tools', from: null, to: tools }]),
      changed('further', 'integration.policy_changed', [
        { field: 'perApplication', from: null, to: { [APPLICATION]: { tools } } },
      ]),
      denied('every', ['delete_*']),
    ];
    expect(found('tool_not_allowed', changes)).toEqual([
      ['application', undefined, 'further'],
      ['attachment', undefined, 'mine'],
    ]);
    expect(found('tool_denied', changes)).toEqual([['integration', 'delete_*', 'every']]);
  });

  it('is not guessed where its value was too long, taken away, or never kept', () => {
    const truncated = denied('long', [], { to: null, truncated: true });
    expect(found('tool_denied', [truncated, denied('old', ['delete_*'])])).toEqual([]);
    const away = denied('away', [], { to: null });
    expect(found('tool_denied', [away, denied('old', ['delete_*'])])).toEqual([]);
    expect(found('tool_denied', [])).toEqual([]);
    const none = { ...denied('none', []), details: { fields: ['tools'] } };
    expect(found('tool_denied', [none])).toEqual([]);
    expect(found('resource_denied', [denied('any', ['*'])])).toEqual([]);
  });

  it('is of the reason that the log has: only reads, as approved', () => {
    const to = { readOnly: true, pinned: 'definition' };
    const changes = [
      changed('x', 'integration.policy_changed', [{ field: 'tools', from: null, to }]),
    ];
    for (const reason of ['tool_not_read_only', 'tool_new', 'tool_changed']) {
      expect(found(reason, changes)).toEqual([['integration', undefined, 'x']]);
    }
  });
});
