import { describe, expect, it } from 'vitest';
import { Silence, UNWATCHED } from '../../../src/platform/watch/silence.ts';

const LIMITS = { interval: 1_000, looks: 30 };

/**
 * Checks once after each pause, without a new heartbeat; returns how many checks it took to end the
 * process.
 */
function looksUntilEnd(pauses: Iterable<number>, heartbeat = 1): number | undefined {
  const silence = new Silence(LIMITS, 0);
  silence.look(heartbeat, 1_000);
  let now = 1_000;
  let looks = 0;
  for (const pause of pauses) {
    now += pause;
    looks += 1;
    if (silence.look(heartbeat, now)) return looks;
  }
  return undefined;
}

const times = (count: number, pause: number) => Array<number>(count).fill(pause);

describe('the silence of the main thread', () => {
  it('is too long after thirty checks without a heartbeat', () => {
    expect(looksUntilEnd(times(60, 1_001))).toBe(30);
  });

  it('starts over with each heartbeat', () => {
    const silence = new Silence(LIMITS, 0);
    const looks = Array.from({ length: 300 }, (_, at) =>
      silence.look(1 + Math.floor(at / 30), (at + 1) * 1_000),
    );
    expect(looks).not.toContain(true);
  });

  it('is not counted in checks that came late: the process was suspended or had no CPU', () => {
    expect(looksUntilEnd(times(600, 1_101))).toBeUndefined();
    expect(looksUntilEnd([...times(29, 1_000), 3_600_000])).toBeUndefined();
    expect(looksUntilEnd([3_600_000, ...times(60, 1_000)])).toBe(31);
  });

  it('is not counted while there is no watch', () => {
    expect(looksUntilEnd(times(600, 1_000), UNWATCHED)).toBeUndefined();
  });
});
