import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingPairs, unexpectedPairs } from './coverage.ts';
import { createHistogram } from './histogram.ts';
import { MAX_BATCHES, runRound } from './run-round.ts';
import { fuzzSettings, within } from './settings.ts';
import { unreachable } from './unreachable.ts';

const { batches, seconds, seed, isLong, testTimeout } = fuzzSettings;

describe('whatever is sent', () => {
  const histogram = createHistogram();

  it('the server does not fail, and every answer fits the contract', {
    timeout: testTimeout,
  }, async () => {
    if (!isLong) await runRound({ seed, bounds: { numRuns: batches }, histogram });
    const end = performance.now() + seconds * 1_000;
    for (let round = seed; performance.now() < end; round += 1) {
      const left = Math.max(1, end - performance.now()) / 1_000;
      const bounds = { ...within(left), numRuns: MAX_BATCHES };
      await runRound({ seed: round, bounds, histogram });
    }
    if (isLong) process.stdout.write(`\n${histogram.toText()}\n`);
    process.stdout.write(`${histogram.requests} requests from seed ${seed}\n`);
  });

  it('two of five valid requests succeed, so that the fuzzer gets past validation', () => {
    const { sent, succeeded } = histogram.valid;
    expect(succeeded / sent).toBeGreaterThanOrEqual(0.4);
  });

  it('no status occurs that the list rules out', () => {
    expect(unexpectedPairs(histogram)).toEqual([]);
  });

  it.runIf(isLong)('every other declared status of every operation occurs', () => {
    expect(missingPairs(histogram)).toEqual([]);
  });
});

describe('the list of statuses that cannot occur', () => {
  it.each(unreachable)('names the test that shows $status instead', ({ shownBy }) => {
    const text = readFileSync(new URL(`../${shownBy.file}`, import.meta.url), 'utf8');
    expect(text).toContain(`'${shownBy.test}'`);
  });
});
