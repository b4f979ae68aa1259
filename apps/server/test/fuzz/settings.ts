import type { Parameters } from 'fast-check';

/**
 * The run without `GATEHOUSE_FUZZ_SECONDS`: as many batches of requests and comparisons with the mocks
 * as an idle machine manages in ten seconds. Counts, not seconds: a busy machine tests the same.
 */
const SHORT = { batches: 350, modelRuns: 6, seed: 20_260_728 };

const requested = process.env.GATEHOUSE_FUZZ_SECONDS;
const seconds = Number(requested ?? 0);
const isLong = requested !== undefined;

/**
 * How long to run and from which seed: `GATEHOUSE_FUZZ_SECONDS` and `GATEHOUSE_FUZZ_SEED`. A long run
 * takes a new seed, the short one always the same, so that what it finds is due to a change.
 */
export const fuzzSettings = {
  isLong,
  seed: Number(process.env.GATEHOUSE_FUZZ_SEED ?? (isLong ? newSeed() : SHORT.seed)),
  /** Of a long run. */
  seconds,
  /** Batches of requests of the short run. */
  batches: SHORT.batches,
  /** The bounds of each of the two comparisons with the mocks. */
  model: isLong ? within(seconds / 4) : { numRuns: SHORT.modelRuns },
  /** Milliseconds for a test, after which it is stuck. */
  testTimeout: (seconds + 180) * 1_000,
};

/** As many runs as end within these seconds. */
export function within(limit: number): Parameters<unknown> {
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: limit * 1_000,
    markInterruptAsFailure: false,
  };
}

function newSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff);
}
