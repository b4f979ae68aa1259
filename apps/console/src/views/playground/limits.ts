/** Characters of a text that are shown: a browser that lays out millions stands still. */
const MOST_SHOWN = 100_000;

/** A text as it is shown, and a sentence where that is not all of it. */
export interface Shortened {
  readonly text: string;
  readonly sentence: string | undefined;
}

const numbers = new Intl.NumberFormat('en');

/** @param isCut whether not even all of it was read */
export function shortened(text: string, isCut = false): Shortened {
  if (text.length <= MOST_SHOWN && !isCut) return { text, sentence: undefined };
  const shown = text.slice(0, MOST_SHOWN);
  const of = isCut ? `more than ${numbers.format(text.length)}` : numbers.format(text.length);
  return {
    text: shown,
    sentence: `Only the first ${numbers.format(shown.length)} of ${of} characters are shown.`,
  };
}
