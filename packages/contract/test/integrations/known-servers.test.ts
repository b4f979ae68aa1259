import { createIntegrationBodySchema, knownServers } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';

describe('known servers', () => {
  it('have different names and URLs, in the order of their names', () => {
    const names = knownServers.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(knownServers.map(({ url }) => url)).size).toBe(names.length);
  });

  it.each(knownServers)('can be registered as they are: $name', ({ name, url, authMode }) => {
    expect(createIntegrationBodySchema.safeParse({ name, url, authMode }).error).toBeUndefined();
    expect(new URL(url).protocol).toBe('https:');
  });

  it.each(knownServers)('say what they are, and where: $name', ({ about, documentation }) => {
    expect(about).toMatch(/^[A-Z].{3,60}[^.]$/);
    expect(new URL(documentation).protocol).toBe('https:');
  });
});
