import { describe, expect, it } from 'vitest';
import { amountOf } from '../src/views/settings/amount.ts';
import { compareVersions, olderNodes } from '../src/views/settings/older-nodes.ts';

describe('versions of nodes', () => {
  it('are in the order of Semantic Versioning', () => {
    const sorted = ['0.9.9', '0.10.0', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1'];
    expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
    expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  });

  it('make those nodes older that another one is ahead of', () => {
    const nodes = ['1.3.0', '1.4.0', '1.4.0'].map((version, number) => ({
      ...{ id: `${number}`, name: 'node', version, answering: false },
      ...{ startedAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-01-01T00:00:00.000Z' },
    }));
    const { newest, older } = olderNodes(nodes);
    expect([newest, older.map(({ id }) => id)]).toEqual(['1.4.0', ['0']]);
    expect(olderNodes([]).older).toEqual([]);
  });
});

describe('a limit', () => {
  it('is said with its unit', () => {
    const rate = (value: number) =>
      amountOf({ name: 'managementRequests', value, unit: 'requests_per_minute' });
    const time = (value: number) =>
      amountOf({ name: 'sessionActive', value, unit: 'milliseconds' });
    expect([rate(1200), rate(0)]).toEqual(['1,200 a minute', 'No limit']);
    expect([time(90_000), time(300_000), time(86_400_000), time(604_800_000), time(1)]).toEqual([
      ...['90 seconds', '5 minutes', '24 hours', '7 days', '1 millisecond'],
    ]);
    expect(amountOf({ name: 'new', value: 3, unit: 'bytes' })).toBe('3 bytes');
  });
});
