import { describe, expect, it } from 'vitest';
import { createMemberBodySchema, updateMemberBodySchema } from '../../src/index.ts';
import { check } from '../shared/check.ts';

describe('members', () => {
  it('are added with an address, a name and a role', () => {
    const body = { email: 'Ada@example.org', name: 'Ada', role: 'admin' };
    expect(createMemberBodySchema.parse(body)).toEqual({ ...body, email: 'ada@example.org' });
    expect(check(createMemberBodySchema, { ...body, role: 'root' })).toEqual([
      'invalid_value /role',
    ]);
  });

  it('can change name and role, and a read can be sent back', () => {
    const read = { id: 'x', email: 'ada@example.org', name: 'Ada', role: 'member', createdAt: 'x' };
    expect(updateMemberBodySchema.parse(read)).toEqual({ name: 'Ada', role: 'member' });
    expect(check(updateMemberBodySchema, { role: null })).toEqual(['invalid_value /role']);
  });
});
