import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingPairs, unexpectedPairs } from './coverage.ts';
import { createHistogram } from './histogram.ts';
import { runRound } from './run-round.ts';
import { fuzzSettings } from './settings.ts';
import { unreachable } from './unreachable.ts';

const { seconds, seed, isLong } = fuzzSettings;

describe('whatever is sent', () => {
  const histogram = createHistogram();

  it('the server does not fail, and every answer fits the contract', {
    timeout: (seconds + 60) * 1_000,
  }, async () => {
    const end = performance.now() + seconds * 1_000;
    for (let round = seed; performance.now() < end; round += 1) {
      const milliseconds = Math.max(1, end - performance.now());
      await runRound({ seed: round, milliseconds, histogram });
    }
    if (isLong) process.stdout.write(`\n${histogram.toText()}\n`);
    process.stdout.write(`${histogram.requests} requests from seed ${seed}\n`);
  });

  it('two of five valid requests succeed, so that the inside is reached', () => {
    const { sent, succeeded } = histogram.valid;
    expect(succeeded / sent).toBeGreaterThanOrEqual(0.4);
  });

  it('no status comes that the list says cannot come', () => {
    expect(unexpectedPairs(histogram)).toEqual([]);
  });

  it.runIf(isLong)('every other declared status of every operation comes', () => {
    expect(missingPairs(histogram)).toEqual([]);
  });
});

describe('the list of statuses that cannot come', () => {
  it.each(unreachable)('names the test that shows $status instead', ({ shownBy }) => {
    const text = readFileSync(new URL(`../${shownBy.file}`, import.meta.url), 'utf8');
    expect(text).toContain(`'${shownBy.test}'`);
  });
});
