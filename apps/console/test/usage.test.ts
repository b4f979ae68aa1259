import { describe, expect, it } from 'vitest';
import { spanOf } from '../src/views/usage/span.ts';

const NOW = Date.parse('2026-11-27T14:05:30Z');
const HOUR = 60 * 60_000;

/** The step, and how many hours there are. */
function asked(from: string, to: string, hasMinutes = true) {
  const span = spanOf({ from, to }, hasMinutes, NOW);
  return [span.step, (span.to - span.from) / HOUR];
}

describe('the step of a span', () => {
  it('is the shortest that a picture can show', () => {
    const ofSpans = (hasMinutes: boolean) =>
      (['hour', 'day', 'week', 'month'] as const).map(
        (span) => spanOf({ span }, hasMinutes, NOW).step,
      );
    expect(ofSpans(true)).toEqual(['minute', 'hour', 'hour', 'day']);
    expect(ofSpans(false)).toEqual(['hour', 'hour', 'hour', 'day']);
    expect(asked('2026-11-27T10:00Z', '2026-11-27T13:20Z')).toEqual(['minute', 10 / 3]);
    expect(asked('2026-11-27T10:00Z', '2026-11-27T13:21Z')[0]).toBe('hour');
    expect(asked('2026-11-27T10:00Z', '2026-11-27T11:00Z', false)).toEqual(['hour', 1]);
  });

  it('is one that is still kept', () => {
    expect(asked('2026-11-25T14:06Z', '2026-11-25T15:00Z')[0]).toBe('minute');
    expect(asked('2026-11-25T14:05Z', '2026-11-25T15:00Z')[0]).toBe('hour');
    expect(asked('2026-10-23T14:06Z', '2026-10-24T00:00Z')[0]).toBe('hour');
    expect(asked('2026-10-23T14:05Z', '2026-10-24T00:00Z')[0]).toBe('day');
  });

  it('takes two times only in their order, and together', () => {
    const day = { from: NOW - 24 * HOUR, to: NOW, step: 'hour' };
    expect(spanOf({ from: '2026-11-20T00:00Z' }, true, NOW)).toEqual(day);
    expect(spanOf({ from: '2026-11-20T00:00Z', to: '2026-11-19T00:00Z' }, true, NOW)).toEqual(day);
    expect(spanOf({ from: '0001-01-01T00:00Z', to: '9999-01-01T00:00Z' }, true, NOW).step).toBe(
      'day',
    );
  });
});
