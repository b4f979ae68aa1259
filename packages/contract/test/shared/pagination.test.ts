import { describe, expect, it } from 'vitest';
import {
  accessGraphQuerySchema,
  listApplicationsQuerySchema,
  listIntegrationsQuerySchema,
  pageQuerySchema,
} from '../../src/index.ts';
import { accepts } from './check.ts';

describe('the page size', () => {
  it.each([
    [undefined, 50],
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
  ])('reads %s as %i', (limit, expected) => {
    expect(pageQuerySchema.parse({ limit }).limit).toBe(expected);
  });

  it.each(['0', '00', '-1', '1.5', '1e1', '+5', ' 5', '', 'ten', '0x10', ['5', '6'], { x: '1' }])(
    'refuses %j',
    (limit) => {
      expect(accepts(pageQuerySchema, { limit })).toBe(false);
    },
  );
});

describe('query flags', () => {
  it('are false when absent and parse only true and false', () => {
    expect(accessGraphQuerySchema.parse({})).toMatchObject({ includePolicy: false });
    expect(accessGraphQuerySchema.parse({ includePolicy: 'false' })).toMatchObject({
      includePolicy: false,
    });
    expect(accessGraphQuerySchema.parse({ includePolicy: 'true' })).toMatchObject({
      includePolicy: true,
    });
  });

  it.each(['1', '0', 'TRUE', 'yes', '', ['true', 'true']])('refuse %j', (all) => {
    expect(accepts(listApplicationsQuerySchema, { all })).toBe(false);
  });
});

describe('the name filter', () => {
  it('is no filter when empty, and plain text otherwise', () => {
    expect(listIntegrationsQuerySchema.parse({ name: '' }).name).toBeUndefined();
    expect(listIntegrationsQuerySchema.parse({ name: ' 50%_' }).name).toBe(' 50%_');
  });

  it.each(['a\0', 'n'.repeat(201), ['a', 'b']])('refuses %j', (name) => {
    expect(accepts(listIntegrationsQuerySchema, { name })).toBe(false);
  });
});

describe('list queries', () => {
  it('ignore unknown parameters and refuse a repeated cursor', () => {
    expect(pageQuerySchema.parse({ sort: 'x' })).toEqual({ limit: 50 });
    expect(accepts(pageQuerySchema, { cursor: ['a', 'b'] })).toBe(false);
  });
});
