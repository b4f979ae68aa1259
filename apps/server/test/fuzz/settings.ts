/** Seconds of the parts of a run that nobody asked to be longer. */
const SHORT = { requests: 6, model: 3 };

const asked = process.env.GATEHOUSE_FUZZ_SECONDS;

/**
 * How long to run and from which seed: `GATEHOUSE_FUZZ_SECONDS` and `GATEHOUSE_FUZZ_SEED`. Without
 * them the run is short and its seed a new one.
 */
export const fuzzSettings = {
  seconds: Number(asked ?? SHORT.requests),
  /** For each of the two comparisons with the mocks. */
  modelSeconds: asked === undefined ? SHORT.model : Number(asked) / 4,
  seed: Number(process.env.GATEHOUSE_FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff)),
  isLong: asked !== undefined,
};
