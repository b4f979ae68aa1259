import { patternSize } from './pattern-size.ts';

/** Units of work for one set of fields. A unit is about a microsecond. */
const MOST_WORK = 30_000;

/** How deeply schemas may be applied inside each other, by references too. */
const MOST_DEPTH = 100;

/** Units to compile one state of a pattern. */
const COMPILE = 10;

/** States that one unit moves over one character. */
const STATES_PER_UNIT = 25;

/** Characters of a text that one unit compares or counts. */
const CHARACTERS_PER_UNIT = 64;

/** Says whether a pattern matches a text. Only called with patterns that are small enough. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** Checking fields against a schema would take too long. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Bounds the work of one check, because references can multiply it without bound. */
export interface Work {
  /** @throws TooMuchWork */
  spend(units: number): void;
  /** For each comparison of a text. @throws TooMuchWork */
  spendOnText(text: string): void;
  /** @throws TooMuchWork when nested too deeply */
  nested<Result>(act: () => Result): Result;
  /** @throws TooMuchWork before a pattern is compiled that is too large for the text */
  matches(pattern: string, text: string): boolean;
}

export function createWork(matcher: PatternMatcher): Work {
  const sizes = new Map<string, number>();
  let left = MOST_WORK;
  let depth = 0;

  const spend = (units: number): void => {
    left -= units;
    if (left < 0) throw new TooMuchWork('The limit of work is reached.');
  };
  const sizeOf = (pattern: string): number => {
    const known = sizes.get(pattern);
    if (known !== undefined) return known;
    const size = patternSize(pattern);
    sizes.set(pattern, size);
    spend(size * COMPILE);
    return size;
  };

  return {
    spend,
    spendOnText: (text) => spend(Math.ceil(text.length / CHARACTERS_PER_UNIT)),
    nested(act) {
      depth += 1;
      if (depth > MOST_DEPTH) throw new TooMuchWork('The schema is nested too deeply.');
      const result = act();
      depth -= 1;
      return result;
    },
    matches(pattern, text) {
      const size = sizeOf(pattern);
      spend(1 + Math.ceil((size * text.length) / STATES_PER_UNIT));
      return matcher(pattern, text);
    },
  };
}
