/** Seconds of the parts of a run that nobody asked to be longer, and the seed that it always starts from. */
const SHORT = { requests: 6, model: 3, seed: 20_260_728 };

const asked = process.env.GATEHOUSE_FUZZ_SECONDS;

/**
 * How long to run and from which seed: `GATEHOUSE_FUZZ_SECONDS` and `GATEHOUSE_FUZZ_SEED`. A run that was
 * asked for takes a new seed; the short one always the same, so that what it finds is a change's doing.
 */
export const fuzzSettings = {
  seconds: Number(asked ?? SHORT.requests),
  /** For each of the two comparisons with the mocks. */
  modelSeconds: asked === undefined ? SHORT.model : Number(asked) / 4,
  seed: Number(process.env.GATEHOUSE_FUZZ_SEED ?? (asked === undefined ? SHORT.seed : newSeed())),
  isLong: asked !== undefined,
};

function newSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff);
}
